#include "api/endpoints/people/origin_of.h"

#include "api/http/request.h"
#include "api/loop/admission.h"

const char *origin_of(struct request *request)
{
    struct quota_address address;
    const uint8_t *byte = address.bytes;

    if (!admission_client(request, &address))
        return NULL;
    if (address.len == 4)
        return arena_format(&request->arena, "%u.%u.%u.0/24", byte[0], byte[1], byte[2]);
    return arena_format(&request->arena, "%x:%x:%x::/48", byte[0] << 8 | byte[1],
                        byte[2] << 8 | byte[3], byte[4] << 8 | byte[5]);
}
