/*
 * handlers.h - the handlers of all routes (routes.def).
 *
 * Each stands in the file of its resource, below this folder. It reads its input, and answers, or
 * submits an op that answers later. The route has been found already, and request->form,
 * request->param and request->player are set.
 */
#ifndef PLYD_API_ENDPOINTS_HANDLERS_H
#define PLYD_API_ENDPOINTS_HANDLERS_H

#include "api/http/request.h"

#define ROUTE(method, pattern, handle, forms, way) void handle(struct request *request);
#include "api/endpoints/routes.def"
#undef ROUTE

#endif
