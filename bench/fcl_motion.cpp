// fcl_motion.cpp - FCL's continuous collision of two STL files, of which the second moves straight, or turns about the
// z axis by so many degrees as well, and so may the first:
//
//     fcl_motion ca|polynomial|naive A.stl B.stl X Y Z DEGREES DEGREES-OF-A
//
// Prints one JSON line: whether they collide, the time of contact, and the milliseconds of CPU that the query took
// without reading and building. FCL is only measured against; nothing else needs it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcl/fcl.h>
#include <array>
#include <map>
#include <memory>
#include <vector>

typedef fcl::BVHModel<fcl::OBBRSSd> Model;

static std::shared_ptr<Model> read_model(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char head[84], record[50];
    if (!file || fread(head, 1, sizeof head, file) != sizeof head) {
        fprintf(stderr, "fcl_motion: %s: cannot be read\n", path);
        exit(2);
    }
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    std::map<std::array<float, 3>, size_t> numbers; // equal vertices become one
    while (fread(record, 1, sizeof record, file) == sizeof record) {
        size_t corner[3];
        for (int k = 0; k < 3; k++) {
            std::array<float, 3> p;
            memcpy(p.data(), record + 12 + 12 * k, 12);
            auto entry = numbers.emplace(p, points.size());
            if (entry.second) {
                points.emplace_back(p[0], p[1], p[2]);
            }
            corner[k] = entry.first->second;
        }
        triangles.emplace_back(corner[0], corner[1], corner[2]);
    }
    fclose(file);
    auto model = std::make_shared<Model>();
    model->beginModel((int)triangles.size(), (int)points.size());
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

static Eigen::Matrix3d about_z(double degrees)
{
    return Eigen::AngleAxisd(degrees * 3.14159265358979323846 / 180.0, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

int main(int argc, char **argv)
{
    if (argc != 9) {
        fprintf(stderr, "fcl_motion: ca|polynomial|naive A.stl B.stl X Y Z DEGREES DEGREES-OF-A\n");
        return 2;
    }
    auto a = read_model(argv[2]), b = read_model(argv[3]);
    fcl::CCDSolverType solver = strcmp(argv[1], "ca") == 0      ? fcl::CCDC_CONSERVATIVE_ADVANCEMENT
                                : strcmp(argv[1], "naive") == 0 ? fcl::CCDC_NAIVE
                                                                : fcl::CCDC_POLYNOMIAL_SOLVER;
    fcl::Transform3d start = fcl::Transform3d::Identity(), end = start, end_of_a = start;
    end.translation() = fcl::Vector3d(atof(argv[4]), atof(argv[5]), atof(argv[6]));
    const double turn = atof(argv[7]), turn_of_a = atof(argv[8]);
    end.linear() = about_z(turn);
    end_of_a.linear() = about_z(turn_of_a);
    const bool turns = turn != 0.0 || turn_of_a != 0.0;
    fcl::ContinuousCollisionRequestd request(100, 1e-6, turns ? fcl::CCDM_SCREW : fcl::CCDM_TRANS, fcl::GST_LIBCCD,
                                             solver);
    fcl::ContinuousCollisionResultd result;
    std::clock_t begin = std::clock();
    fcl::continuousCollide(a.get(), start, end_of_a, b.get(), start, end, request, result);
    double query = 1e3 * double(std::clock() - begin) / CLOCKS_PER_SEC;
    printf("{\"collide\": %s, \"time\": %.17g, \"query_ms\": %.3f}\n",
           result.is_collide ? "true" : "false", result.time_of_contact, query);
    return 0;
}
