/* version.h - the version of this program. It is raised with each release. */
#ifndef PLYD_API_LOOP_VERSION_H
#define PLYD_API_LOOP_VERSION_H

#define PLYD_VERSION "0.1.0"

#endif
