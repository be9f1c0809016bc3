// session.js - who is signed in, and their Plyd. `signIn(user)` is your application's: it gives a JWT that is good now.
import { Plyd } from "plyd";

/** A JWT is asked for anew a minute before it ends. */
function kept(signIn) {
  let jwt = null, until = 0;
  return async () => {
    if (Date.now() > until) {
      jwt = await signIn();
      until = 1000 * JSON.parse(atob(jwt.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).exp - 60_000;
    }
    return jwt;
  };
}

/** Requests that fail are repeated by the Plyd itself, and moves that wait outlast a reload: they go by the user's name, not by the JWT. */
export function sessionOf(server, user, signIn) {
  const jwt = kept(signIn);
  return new Plyd({
    server, token: user,
    fetch: async (url, { headers, ...request }) => {
      const isMine = headers.Authorization === `Bearer ${user}`;
      return fetch(url, { ...request, headers: { ...headers, ...(isMine && { Authorization: `Bearer ${await jwt()}` }) } });
    },
  });
}
