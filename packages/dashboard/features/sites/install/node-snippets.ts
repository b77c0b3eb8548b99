import { checkTokenCode } from "@stile/protocol/check-token-code";
import {
  NO_VERDICT,
  SECOND_STEP,
  type ServerTerms,
  SNIPPET_ACTION,
  type Snippet,
} from "./snippet.ts";

/** A framework's part of a sample. */
type Framework = {
  readonly id: string;
  readonly label: string;
  readonly head: string;
  readonly secondStep: string;
  readonly route: (isAsked: boolean) => string;
};

const NO_VERDICT_CODE = `// ${NO_VERDICT} "allow" would accept every form.
const noVerdict = (error) => ({ recommendation: "block", reason: error.message });`;

const TRUSTED = "loopback, uniquelocal";
const TRUSTED_NOTE =
  "// Trusts proxies on this machine and its private network to name the visitor. Add yours if it is elsewhere.";

const EXPRESS: Framework = {
  id: "express",
  label: "Express",
  head: `// npm install express@5 multer
import express from "express";
import multer from "multer";

const app = express();
${TRUSTED_NOTE}
app.set("trust proxy", "${TRUSTED}");

`,
  secondStep: `function secondStep(req, res) {
  res.status(403).send("Please try again.");
}`,
  route: (
    isAsked,
  ) => `const readForm = [express.json(), express.urlencoded({ extended: false }), multer().none()];

app.post("${SNIPPET_ACTION}", readForm, async (req, res) => {
  const check = checkToken(req.body?.["stile-response"], req.ip, req.get("user-agent"));
  const { recommendation, reason } = await check.catch(noVerdict);
${isAsked ? "" : `  if (recommendation === "challenge") return secondStep(req, res);\n`}  if (recommendation !== "allow") {
    console.warn(\`Refused: \${reason}\`);
    return res.status(403).send("Please try again.");
  }
  res.send("Welcome"); // the form may be trusted here
});

app.listen(process.env.PORT ?? 3000);`,
};

const FASTIFY: Framework = {
  id: "fastify",
  label: "Fastify",
  head: `// npm install fastify@5 @fastify/formbody @fastify/multipart
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import Fastify from "fastify";

${TRUSTED_NOTE}
const app = Fastify({ logger: true, trustProxy: "${TRUSTED}" });
app.register(formbody);
app.register(multipart, { attachFieldsToBody: "keyValues" });

`,
  secondStep: `function secondStep(request, reply) {
  return reply.code(403).send("Please try again.");
}`,
  route: (isAsked) => `app.post("${SNIPPET_ACTION}", async (request, reply) => {
  const check = checkToken(request.body?.["stile-response"], request.ip, request.headers["user-agent"]);
  const { recommendation, reason } = await check.catch(noVerdict);
${isAsked ? "" : `  if (recommendation === "challenge") return secondStep(request, reply);\n`}  if (recommendation !== "allow") {
    request.log.warn(\`Refused: \${reason}\`);
    return reply.code(403).send("Please try again.");
  }
  return "Welcome"; // the form may be trusted here
});

await app.listen({ port: Number(process.env.PORT ?? 3000) });`,
};

const NEXT: Framework = {
  id: "next",
  label: "Next",
  head: "",
  secondStep: `function secondStep(form) {
  return new Response("Please try again.", { status: 403 });
}`,
  route: (isAsked) => `// app${SNIPPET_ACTION}/route.js
export async function POST(request) {
  const form = await request.formData();
  // Your proxy has to set X-Real-IP to the visitor's address, even if the visitor sent one, because
  // Next does not know the address.
  const address = request.headers.get("x-real-ip");
  const check = checkToken(form.get("stile-response"), address, request.headers.get("user-agent"));
  const { recommendation, reason } = await check.catch(noVerdict);
${isAsked ? "" : `  if (recommendation === "challenge") return secondStep(form);\n`}  if (recommendation !== "allow") {
    console.warn(\`Refused: \${reason}\`);
    return new Response("Please try again.", { status: 403 });
  }
  return new Response("Welcome"); // the form may be trusted here
}`,
};

/** The samples for Node. They share one `checkToken`. */
export function nodeSnippets(terms: ServerTerms): readonly Snippet[] {
  return [EXPRESS, FASTIFY, NEXT].map((framework) => {
    const parts = [
      framework.head + checkTokenCode(terms),
      NO_VERDICT_CODE,
      ...(terms.isAsked ? [] : [`// ${SECOND_STEP}\n${framework.secondStep}`]),
      framework.route(terms.isAsked),
    ];
    const { id, label } = framework;
    return { id, label, language: "js", code: parts.join("\n\n") };
  });
}
