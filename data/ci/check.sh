#!/bin/sh
# check.sh MANIFEST [BASELINE] - checks an assembly in a CI job: what fails the job is a
# clash, a gap too small, or a part that cannot be read; with a BASELINE, a former
# clash.json, only what is new or worse. It writes
#
#   clash.xml    JUnit, for the test tab
#   clash.md     Markdown, for the summary of the job
#   clash.json   everything; keep it, and give it as the BASELINE of later runs. Where it is that
#                itself, a run that fails keeps it as it was
#   clash.stl    what parts that clash have in common, to look at
#
# and annotates the run where GitHub Actions reads its output.
set -u
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: check.sh MANIFEST [BASELINE]" >&2
    exit 2
fi
rm -f clash.xml clash.md clash.stl # of a former run: one that ends early writes none
[ "${2:-}" -ef clash.json ] || rm -f clash.json
format=text
[ -z "${GITHUB_ACTIONS:-}" ] || format=github
stlclash -f "$format" -o clash.xml -o clash.md -o clash.json --overlap=clash.stl \
    ${2:+"--baseline=$2"} "$1"
status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f clash.md ]; then
    cat clash.md >>"$GITHUB_STEP_SUMMARY"
fi
exit $status
