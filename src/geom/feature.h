/* feature.h - the part of a triangle on which a point lies. */
#ifndef SC_FEATURE_H
#define SC_FEATURE_H

typedef enum sc_feature { SC_VERTEX, SC_EDGE, SC_FACE } sc_feature;

#endif
