// probes_embree.cpp - the probes of probes.c by Embree: `probes_embree FILE.stl COUNT [ANSWERS]`.
//
// rtcIntersect1 and rtcOccluded1 over the same segments, one thread, default flags or, with
// ROBUST in the environment, RTC_SCENE_FLAG_ROBUST. The same output as that of probes.c.
#include "probe_set.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <embree3/rtcore.h>
#include <unistd.h>
#include <vector>

static double seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double resident()
{
    long size = 0, pages = 0;
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (file) {
        pages = std::fscanf(file, "%ld %ld", &size, &pages) == 2 ? pages : 0;
        std::fclose(file);
    }
    return 1e-6 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static RTCRay ray_of(const probe_segment &s)
{
    RTCRay ray;
    std::memset(&ray, 0, sizeof ray);
    ray.org_x = s.from[0], ray.org_y = s.from[1], ray.org_z = s.from[2];
    ray.dir_x = s.to[0] - s.from[0], ray.dir_y = s.to[1] - s.from[1], ray.dir_z = s.to[2] - s.from[2];
    ray.tfar = 1.0f;
    ray.mask = ~0u;
    return ray;
}

// Millions a second, the best of three.
template <class Ask> static double rate_of(size_t count, Ask ask)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double start = seconds();
        ask();
        least = std::fmin(least, seconds() - start);
    }
    return 1e-6 * (double)count / least;
}

static std::vector<unsigned char> read_all(const char *path)
{
    std::vector<unsigned char> bytes;
    std::FILE *file = std::fopen(path, "rb");
    if (file && std::fseek(file, 0, SEEK_END) == 0) {
        bytes.resize((size_t)std::ftell(file));
        std::rewind(file);
        bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    }
    if (file) {
        std::fclose(file);
    }
    return bytes;
}

static RTCGeometry geometry_of(RTCDevice device, probe_target &part)
{
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto *v = (float *)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                               12, 3 * (size_t)part.triangles);
    auto *index = (uint32_t *)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0,
                                                      RTC_FORMAT_UINT3, 12, part.triangles);
    for (int k = 0; k < 3; k++) {
        part.low[k] = INFINITY;
        part.high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < 3 * part.triangles; i++) {
        index[i] = i;
        probe_vertex(&part, i / 3, i % 3, v + 3 * (size_t)i);
        for (int k = 0; k < 3; k++) {
            double x = v[3 * (size_t)i + (size_t)k];
            part.low[k] = x < part.low[k] ? x : part.low[k];
            part.high[k] = x > part.high[k] ? x : part.high[k];
        }
    }
    return mesh;
}

static void measure(RTCScene scene, probe_kind kind, const std::vector<probe_segment> &probes,
                    std::FILE *answers)
{
    std::vector<float> t(probes.size());
    std::vector<char> found(probes.size());
    double first = rate_of(probes.size(), [&] {
        for (size_t i = 0; i < probes.size(); i++) {
            RTCRayHit hit;
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            hit.ray = ray_of(probes[i]);
            hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene, &context, &hit);
            t[i] = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID ? hit.ray.tfar : -1.0f;
        }
    });
    double any = rate_of(probes.size(), [&] {
        for (size_t i = 0; i < probes.size(); i++) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            RTCRay ray = ray_of(probes[i]);
            rtcOccluded1(scene, &context, &ray);
            found[i] = ray.tfar < 0.0f;
        }
    });
    size_t hits = 0;
    for (float at : t) {
        hits += at >= 0.0f;
    }
    if (answers) {
        std::fwrite(t.data(), sizeof t[0], t.size(), answers);
    }
    std::printf("%s hits %zu first %.3f any %.3f\n", probe_kind_names[kind], hits, first, any);
}

int main(int argc, char **argv)
{
    size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000000;
    std::vector<unsigned char> stl = read_all(argc > 1 ? argv[1] : "");
    std::FILE *answers = argc > 3 ? std::fopen(argv[3], "wb") : nullptr;
    if (stl.size() < 84) {
        std::fprintf(stderr, "probes_embree: a binary STL file is expected\n");
        return 2;
    }
    probe_target part;
    std::memset(&part, 0, sizeof part);
    part.stl = stl.data();
    std::memcpy(&part.triangles, stl.data() + 80, 4);

    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, std::getenv("ROBUST") ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
    double before = resident();
    RTCGeometry mesh = geometry_of(device, part);
    double start = seconds();
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene, mesh);
    rtcCommitScene(scene);
    double took = seconds() - start;
    std::printf("triangles %u build %.3f memory %.1f\n", part.triangles, took, resident() - before);

    std::vector<probe_segment> probes(count);
    for (int kind = 0; kind < PROBE_KINDS; kind++) {
        uint64_t state = 1;
        for (auto &probe : probes) {
            probe = probe_draw((probe_kind)kind, &part, &state);
        }
        measure(scene, (probe_kind)kind, probes, answers);
    }
    if (answers) {
        std::fclose(answers);
    }
    return 0;
}
