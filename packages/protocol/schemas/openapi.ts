import { z } from "zod";
import { API_ERROR_CODES } from "../api-error-codes.ts";
import {
  challengeAnswerSchema,
  errorAnswerSchema,
  scoreAnswerSchema,
  tokenVerifyAnswerSchema,
  verifyAnswerSchema,
} from "./answers.ts";
import {
  challengeQuerySchema,
  scoreRequestSchema,
  tokenVerifyRequestSchema,
  verifyRequestSchema,
} from "./requests.ts";

type Operation = {
  readonly method: "get" | "post";
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly isSecret: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** The statuses of refusals, and the schema of their answers. */
  readonly failures: { readonly statuses: readonly number[]; readonly answer: z.ZodType };
};

/** The four public operations (spec 4). Managing sites is not one of them (spec 1). */
export const OPERATIONS: readonly Operation[] = [
  {
    method: "post",
    path: "/api/v1/token/verify",
    operationId: "redeemToken",
    summary: "Verify a token from the customer's server. A token can be redeemed once.",
    isSecret: true,
    body: tokenVerifyRequestSchema,
    answer: tokenVerifyAnswerSchema,
    failures: {
      statuses: [400, 401, 405, 413, 415, 429, 500, 503],
      answer: tokenVerifyAnswerSchema,
    },
  },
  {
    method: "post",
    path: "/api/v1/score",
    operationId: "requestScore",
    summary: "Score a visitor from the customer's server, without a widget.",
    isSecret: true,
    body: scoreRequestSchema,
    answer: scoreAnswerSchema,
    failures: { statuses: [400, 401, 403, 405, 415, 429, 500, 503], answer: errorAnswerSchema },
  },
  {
    method: "get",
    path: "/api/v1/pow/challenge",
    operationId: "issueChallenge",
    summary: "Issue a proof-of-work challenge to the widget.",
    isSecret: false,
    query: challengeQuerySchema,
    answer: challengeAnswerSchema,
    failures: { statuses: [400, 403, 404, 405, 429, 500, 503], answer: errorAnswerSchema },
  },
  {
    method: "post",
    path: "/api/v1/verify",
    operationId: "submitSolution",
    summary: "Submit a solution and signals from the widget to get a token.",
    isSecret: false,
    body: verifyRequestSchema,
    answer: verifyAnswerSchema,
    failures: {
      statuses: [400, 403, 404, 405, 413, 415, 429, 500, 503],
      answer: errorAnswerSchema,
    },
  },
];

function jsonContent(schema: z.ZodType, io: "input" | "output") {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io });
  return { "application/json": { schema: plain } };
}

function describeStatus(status: number): string {
  const codes = Object.entries(API_ERROR_CODES).filter(([, error]) => error.status === status);
  return codes.length > 0
    ? codes.map(([code]) => code).join(", ")
    : "The service can't reach its store. Try again.";
}

function toParameters(query: z.ZodObject) {
  const { properties, required } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required?.includes(name) ?? false,
    schema,
  }));
}

function toOperation(operation: Operation) {
  const { failures } = operation;
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    security: operation.isSecret ? [{ secretKey: [] }] : [],
    ...(operation.query && { parameters: toParameters(operation.query) }),
    ...(operation.body && {
      requestBody: { required: true, content: jsonContent(operation.body, "input") },
    }),
    responses: {
      200: { description: "The result.", content: jsonContent(operation.answer, "output") },
      ...Object.fromEntries(
        failures.statuses.map((status) => [
          status,
          { description: describeStatus(status), content: jsonContent(failures.answer, "output") },
        ]),
      ),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the public interface, made from the schemas that the service
 * validates with (spec 4).
 */
export function createOpenApi() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { [operation.method]: toOperation(operation) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Stile",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        secretKey: {
          type: "http",
          scheme: "bearer",
          description: "The site's secret key, for servers only.",
        },
      },
    },
  };
}
