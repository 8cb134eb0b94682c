// fcl_assembly.cpp - what FCL makes of a generated assembly (assembly.c): its dynamic AABB
// tree manager over the parts, and a collision check of every pair that it calls near.
//
//     fcl_assembly assembly-1000.json
//
// prints one line of JSON: {"result": {"interfering": n}}, pairs with a common point.
#include <fcl/fcl.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using Model = fcl::BVHModel<fcl::OBBRSSd>;

static std::shared_ptr<Model> read_stl(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto model = std::make_shared<Model>();
    std::uint32_t count = 0;
    if (bytes.size() >= 84) {
        std::memcpy(&count, &bytes[80], 4);
    }
    model->beginModel(static_cast<int>(count), static_cast<int>(3 * count));
    for (std::size_t i = 0; i < count && bytes.size() >= 84 + 50 * (i + 1); i++) {
        float v[9];
        std::memcpy(v, &bytes[84 + 50 * i + 12], sizeof v);
        model->addTriangle(fcl::Vector3d(v[0], v[1], v[2]), fcl::Vector3d(v[3], v[4], v[5]),
                           fcl::Vector3d(v[6], v[7], v[8]));
    }
    model->endModel();
    return model;
}

// One part a line, as assembly.c writes them.
static std::vector<std::unique_ptr<fcl::CollisionObjectd>> read_parts(const std::string &manifest)
{
    std::string folder = manifest.substr(0, manifest.find_last_of('/') + 1), line;
    std::map<std::string, std::shared_ptr<Model>> models;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> parts;
    std::ifstream file(manifest);
    while (std::getline(file, line)) {
        const char *name = std::strstr(line.c_str(), "\"file\": \"");
        const char *at = std::strstr(line.c_str(), "\"placement\": [");
        if (!name || !at) {
            continue;
        }
        std::string stl(name + 9, std::strcspn(name + 9, "\""));
        if (!models[stl]) {
            models[stl] = read_stl(folder + stl);
        }
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        at += 14;
        for (int i = 0; i < 12; i++) {
            char *end;
            pose.matrix()(i / 4, i % 4) = std::strtod(at, &end);
            at = end + 1;
        }
        parts.push_back(std::make_unique<fcl::CollisionObjectd>(models[stl], pose));
    }
    return parts;
}

static bool count_pair(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *context)
{
    fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    *static_cast<long *>(context) += fcl::collide(a, b, request, result) > 0;
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    auto parts = read_parts(argv[1]);
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<fcl::CollisionObjectd *> objects;
    for (auto &part : parts) {
        objects.push_back(part.get());
    }
    manager.registerObjects(objects);
    manager.setup();
    long interfering = 0;
    manager.collide(&interfering, count_pair);
    std::printf("{\"result\": {\"interfering\": %ld}}\n", interfering);
    return 0;
}
