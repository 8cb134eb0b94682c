/* angle.h - sine, cosine and arctangent that are the same everywhere.
 *
 * Those of libm are not: it rounds otherwise on processors that multiply and add at once, and from
 * release to release. These are sums, products and quotients of doubles, as is all the rest. Errors
 * are below 2^-52 of the value. Pure, thread-safe. */
#ifndef SC_ANGLE_H
#define SC_ANGLE_H

#define SC_PI 3.14159265358979323846

/* Of an angle in radians, of at most 4 in magnitude. */
double sc_sin(double angle);
double sc_cos(double angle);

/* The angle from the x axis to (x, y), from -pi to pi, as atan2 has it, signed zeros included, for
 * numbers of less than 2^900 in magnitude; NaN for what is not finite. */
double sc_atan2(double y, double x);

#endif
