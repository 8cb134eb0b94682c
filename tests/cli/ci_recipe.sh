# What the CI recipes run passes, fails and reports as it should.
mkdir bin
ln -s "$STLCLASH" bin/stlclash
PATH=$PWD/bin:$PATH
ln -s "$DATA" data
reports() { for file in clash.*; do [ -s "$file" ] && echo "$file"; done; rm -f clash.xml clash.md clash.stl; }

# Their commands, as they stand there.
sed -n '/name: Check/,/name: Keep/s/^          //p' data/ci/github.yml >github
sed -n '/^  script:/,/^  artifacts/s/^    - //p' data/ci/gitlab.yml >gitlab
[ -s github ] && [ -s gitlab ] || echo "no commands found"
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary sh -e github
echo "=> $?"
reports
head -n 3 summary
sh -e gitlab
echo "=> $?"
reports

# An assembly that fails; then the same against its own report, which is nothing new.
GITHUB_ACTIONS=true sh data/ci/check.sh data/press_fit.json
echo "=> $?"
reports
mv clash.json before.json
sh data/ci/check.sh data/press_fit.json before.json | head -n 2
grep -c '<failure' clash.xml
# Its own report is no former one to take away, however it is spelled.
sh data/ci/check.sh data/press_fit.json >/dev/null
sh data/ci/check.sh data/press_fit.json ./clash.json >/dev/null
echo "=> $?"
reports
rm clash.json
# A part that is missing is not passed over.
printf '{"parts": [{"name": "a", "file": "no.stl"}, {"name": "b", "file": "data/cube.stl"}]}' >m.json
sh data/ci/check.sh m.json 2>&1 >/dev/null
echo "=> $?"
# It is misuse to give it no manifest; a run that ends early leaves no report of a former one.
sh data/ci/check.sh 2>&1
echo "=> $?"
sh data/ci/check.sh data/press_fit.json >/dev/null
sh data/ci/check.sh none.json 2>&1
echo "=> $?"
reports
