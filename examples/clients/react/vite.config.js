// vite.config.js - builds the application, and while it is developed stands in for its server: it makes the JWTs.
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";

import { defineConfig } from "vite";

/** GET /jwt?user=NAME. Your server looks who is signed in instead of believing it. */
const jwts = (pem) => ({
  name: "jwts",
  configureServer({ middlewares }) {
    middlewares.use("/jwt", async (request, response) => {
      const { makeToken } = await import("../../tokens.mjs");
      const user = new URL(request.originalUrl, "http://localhost").searchParams.get("user");
      response.end(makeToken(createPrivateKey(readFileSync(pem)), { issuer: "https://app.example", audience: "plyd", subject: user, name: user }));
    });
  },
});

export default defineConfig({
  esbuild: { jsx: "automatic" },
  build: { target: "es2022" },
  plugins: process.env.KEY ? [jwts(process.env.KEY)] : [],
});
