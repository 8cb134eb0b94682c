// probes_embree.cpp - the probes of probes.c by Embree: `probes_embree FILE.stl [COUNT]`.
//
// rtcIntersect1 and rtcOccluded1 over the same segments, one thread, default scene flags.
// Its rays are floats and its answers are not exact; it is the measure of speed.
#include "probe_set.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <embree3/rtcore.h>
#include <vector>

static double seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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

int main(int argc, char **argv)
{
    std::FILE *file = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
    size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000000;
    unsigned char head[84], record[50];
    uint32_t triangles;
    if (!file || std::fread(head, 84, 1, file) != 1) {
        std::fprintf(stderr, "probes_embree: a binary STL file is expected\n");
        return 2;
    }
    std::memcpy(&triangles, head + 80, 4);

    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    RTCScene scene = rtcNewScene(device);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto *v = (float *)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                               12, 3 * (size_t)triangles);
    auto *index = (uint32_t *)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0,
                                                      RTC_FORMAT_UINT3, 12, triangles);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < triangles && std::fread(record, 50, 1, file) == 1; i++) {
        std::memcpy(v + 9 * (size_t)i, record + 12, 36);
        for (uint32_t k = 0; k < 3; k++) {
            index[3 * (size_t)i + k] = 3 * i + k;
        }
        for (int k = 0; k < 9; k++) {
            double x = v[9 * (size_t)i + k];
            low[k % 3] = x < low[k % 3] ? x : low[k % 3];
            high[k % 3] = x > high[k % 3] ? x : high[k % 3];
        }
    }
    double start = seconds();
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene, mesh);
    rtcCommitScene(scene);
    std::printf("triangles %u build %.3f\n", triangles, seconds() - start);

    std::vector<probe_segment> probes(count);
    for (int kind = 0; kind < PROBE_KINDS; kind++) {
        uint64_t state = 1;
        for (auto &probe : probes) {
            probe = probe_draw((probe_kind)kind, low, high, &state);
        }
        size_t hits = 0, some = 0;
        double sum = 0.0;
        start = seconds();
        for (const auto &probe : probes) {
            RTCRayHit hit;
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            hit.ray = ray_of(probe);
            hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene, &context, &hit);
            bool found = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
            hits += found;
            sum += found ? (double)hit.ray.tfar : 0.0;
        }
        double first = seconds() - start;
        start = seconds();
        for (const auto &probe : probes) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            RTCRay ray = ray_of(probe);
            rtcOccluded1(scene, &context, &ray);
            some += ray.tfar < 0.0f;
        }
        double any = seconds() - start;
        std::printf("%s hits %zu any %zu first %.3f any %.3f mean %.9g\n", probe_kind_names[kind],
                    hits, some, 1e-6 * (double)count / first, 1e-6 * (double)count / any,
                    hits ? sum / (double)hits : 0.0);
    }
    return 0;
}
