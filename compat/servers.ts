// The server libraries of the grid: how each is set up as its documentation says, and pointed at a
// service.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import https from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { load, versionOf } from "./install.ts";

/** Where a library verifies: a service, and a site of it. */
export type Place = {
  readonly baseUrl: string;
  readonly siteKey: string;
  readonly secretKey: string;
};

/** A library, how it can be pointed at another host (A: its own option, H: only by override). */
export type ServerLibrary = {
  readonly library: string;
  readonly version: string;
  readonly level: "A" | "H";
  /** Whether the library lets the visitor in. Rejects with what the library throws. */
  readonly verify: (place: Place, token: string) => Promise<boolean>;
};

const ACTION = "login";

/** Sends what goes to a host by https to the service on this machine instead. */
async function overrideHosts<Result>(
  { baseUrl }: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  const { globalAgent } = https;
  const { createConnection } = globalAgent;
  const { fetch } = globalThis;
  const port = Number(new URL(baseUrl).port);
  globalAgent.createConnection = () => connect(port, "127.0.0.1");
  globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    return fetch(baseUrl + url.pathname + url.search, init);
  };
  try {
    return await work();
  } finally {
    globalAgent.createConnection = createConnection;
    globalThis.fetch = fetch;
    globalAgent.destroy();
  }
}

const BETTER_AUTH = {
  "cloudflare-turnstile": "/turnstile/v0/siteverify",
  "google-recaptcha": "/recaptcha/api/siteverify",
  hcaptcha: "/siteverify",
  captchafox: "/siteverify",
} as const;

async function betterAuth(provider: keyof typeof BETTER_AUTH): Promise<ServerLibrary> {
  const { captcha } = await load("better-auth/plugins");
  return {
    library: `better-auth, ${provider}`,
    version: versionOf("better-auth"),
    level: "A",
    verify: async ({ baseUrl, secretKey }, token) => {
      const siteVerifyURLOverride = baseUrl + BETTER_AUTH[provider];
      const plugin = captcha({ provider, secretKey, siteVerifyURLOverride });
      const request = new Request("http://shop.example/api/auth/sign-in/email", {
        method: "POST",
        headers: { "x-captcha-response": token.toWellFormed() },
      });
      const logger = { error: () => {}, warn: () => {} };
      const refused = await plugin.onRequest(request, { options: {}, logger });
      if (refused?.response.status === 500) throw new Error("500");
      return refused === undefined;
    },
  };
}

async function nestlab(): Promise<ServerLibrary> {
  await load("reflect-metadata");
  const { NestFactory } = await load("@nestjs/core");
  const { Module } = await load("@nestjs/common");
  const { GoogleRecaptchaModule, GoogleRecaptchaValidator } = await load(
    "@nestlab/google-recaptcha",
  );
  return {
    library: "@nestlab/google-recaptcha",
    version: versionOf("@nestlab/google-recaptcha"),
    level: "A",
    verify: async ({ baseUrl, secretKey }, token) => {
      class App {}
      const imports = [
        GoogleRecaptchaModule.forRoot({
          secretKey,
          response: (request: { token: string }) => request.token,
          network: `${baseUrl}/recaptcha/api/siteverify`,
          score: 0.5,
          actions: [ACTION],
        }),
      ];
      Module({ imports })(App);
      const context = await NestFactory.createApplicationContext(App, { logger: false });
      const result = await context.get(GoogleRecaptchaValidator).validate({ response: token });
      await context.close();
      return result.success;
    },
  };
}

async function enterprise(): Promise<ServerLibrary> {
  const { RecaptchaEnterpriseServiceClient } = await load("@google-cloud/recaptcha-enterprise");
  return {
    library: "@google-cloud/recaptcha-enterprise, REST",
    version: versionOf("@google-cloud/recaptcha-enterprise"),
    level: "A",
    verify: async ({ baseUrl, siteKey, secretKey }, token) => {
      const { hostname, port } = new URL(baseUrl);
      const client = new RecaptchaEnterpriseServiceClient({
        fallback: true,
        protocol: "http",
        apiEndpoint: hostname,
        port: Number(port),
        apiKey: secretKey,
      });
      try {
        const [assessment] = await client.createAssessment({
          parent: client.projectPath("shop"),
          assessment: { event: { token, siteKey, expectedAction: ACTION } },
        });
        const { tokenProperties, riskAnalysis } = assessment;
        const isRight = tokenProperties.valid && tokenProperties.action === ACTION;
        return isRight && riskAnalysis.score >= 0.5;
      } finally {
        await client.close();
      }
    },
  };
}

async function friendly(): Promise<ServerLibrary> {
  const { FriendlyCaptchaClient } = await load("@friendlycaptcha/server-sdk");
  return {
    library: "@friendlycaptcha/server-sdk, as delivered",
    version: versionOf("@friendlycaptcha/server-sdk"),
    level: "A",
    verify: async ({ baseUrl, siteKey, secretKey }, token) => {
      const options = { apiKey: secretKey, sitekey: siteKey, apiEndpoint: baseUrl };
      const result = await new FriendlyCaptchaClient(options).verifyCaptchaResponse(token);
      // It lets visitors in while it can't verify; the grid says so.
      if (!result.wasAbleToVerify()) throw new Error("not able to verify");
      return result.shouldAccept();
    },
  };
}

async function recaptcha2(): Promise<ServerLibrary> {
  const { default: Recaptcha2 } = await load("recaptcha2");
  return {
    library: "recaptcha2",
    version: versionOf("recaptcha2"),
    level: "A",
    verify: async ({ baseUrl, siteKey, secretKey }, token) => {
      const recaptcha = new Recaptcha2({ siteKey, secretKey });
      recaptcha.apiEndpoint = `${baseUrl}/recaptcha/api/siteverify`;
      // It rejects with the list of codes.
      return await recaptcha.validate(token).catch((codes: unknown) => {
        if (Array.isArray(codes) && codes[0] !== "request-error") return false;
        throw new Error(String(codes));
      });
    },
  };
}

async function expressRecaptcha(kind: "RecaptchaV2" | "RecaptchaV3"): Promise<ServerLibrary> {
  const module = await load("express-recaptcha");
  const Recaptcha = module[kind] ?? module.default[kind];
  return {
    library: `express-recaptcha, ${kind}`,
    version: versionOf("express-recaptcha"),
    level: "H",
    verify: (place, token) =>
      overrideHosts(place, async () => {
        const recaptcha = new Recaptcha(place.siteKey, place.secretKey);
        const request = { body: { "g-recaptcha-response": token }, query: {}, params: {} };
        return await new Promise<boolean>((resolve) =>
          recaptcha.verify(request, (error: string | null) => resolve(error === null)),
        );
      }),
  };
}

async function hcaptcha(): Promise<ServerLibrary> {
  const { verify } = (await load("hcaptcha")).default;
  return {
    library: "hcaptcha",
    version: versionOf("hcaptcha"),
    level: "H",
    verify: (place, token) =>
      overrideHosts(place, async () => {
        const { success } = await verify(place.secretKey, token, null, place.siteKey);
        return success === true;
      }),
  };
}

async function nextTurnstile(): Promise<ServerLibrary> {
  const file = join(import.meta.dirname, "node_modules/next-turnstile/dist/server/validate.js");
  const { validateTurnstileToken } = (await load(file)).default;
  return {
    library: "next-turnstile, server",
    version: versionOf("next-turnstile"),
    level: "H",
    verify: (place, token) =>
      overrideHosts(place, async () => {
        const { success } = await validateTurnstileToken({ token, secretKey: place.secretKey });
        return success === true;
      }),
  };
}

/** Runs a script of another language, which prints `accept` or `reject`. */
function runScript(command: string, options: readonly string[], place: Place, token: string) {
  return new Promise<boolean>((resolve, reject) => {
    const env = { ...process.env, ...place, token: token.replaceAll("\0", "") };
    execFile(command, options, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const said = stdout.trim().split("\n").at(-1);
      if (error !== null || (said !== "accept" && said !== "reject"))
        reject(new Error(`${stderr}${stdout}`.slice(0, 300)));
      else resolve(said === "accept");
    });
  });
}

const php = (post: string): string => `require "ReCaptcha/autoload.php";
$post = new \\ReCaptcha\\RequestMethod\\${post};
$recaptcha = new \\ReCaptcha\\ReCaptcha(getenv("secretKey"), $post);
echo $recaptcha->verify(getenv("token"))->isSuccess() ? "accept" : "reject";`;

const RUBY = `require "recaptcha"
Recaptcha.configure do |config|
  config.site_key = ENV["siteKey"]; config.secret_key = ENV["secretKey"]
  config.verify_url = ENV["baseUrl"] + "/recaptcha/api/siteverify"; config.skip_verify_env = []
end
class Shop
  include Recaptcha::Verify
  def request = nil
end
puts Shop.new.verify_recaptcha(response: ENV["token"], skip_remote_ip: true) ? "accept" : "reject"`;

const PYTHON = `import os
from flask import Flask
from flask_wtf import FlaskForm, RecaptchaField
app = Flask("shop")
app.config.update(SECRET_KEY="x", WTF_CSRF_ENABLED=False, RECAPTCHA_PUBLIC_KEY=os.environ["siteKey"],
  RECAPTCHA_PRIVATE_KEY=os.environ["secretKey"], RECAPTCHA_VERIFY_SERVER=os.environ["baseUrl"] + "/recaptcha/api/siteverify")
class Form(FlaskForm):
  recaptcha = RecaptchaField()
with app.test_request_context("/", method="POST", data={"g-recaptcha-response": os.environ["token"]}):
  print("accept" if Form().validate_on_submit() else "reject")`;

/** Debian's libraries; those whose interpreter or package is missing are left out. */
function debian(): ServerLibrary[] {
  const url = `getenv("baseUrl") . "/recaptcha/api/siteverify"`;
  const all = [
    {
      library: "google/recaptcha for PHP, Post (Debian)",
      version: "1.2.4",
      file: "/usr/share/php/ReCaptcha/autoload.php",
      command: "/usr/bin/php",
      options: ["-r", php(`Post(${url})`)],
    },
    {
      library: "google/recaptcha for PHP, CurlPost (Debian)",
      version: "1.2.4",
      file: "/usr/share/php/ReCaptcha/autoload.php",
      command: "/usr/bin/php",
      options: ["-r", php(`CurlPost(null, ${url})`)],
    },
    {
      library: "ruby-recaptcha, GET (Debian)",
      version: "4.11.1",
      file: "/usr/lib/ruby/vendor_ruby/recaptcha.rb",
      command: "/usr/bin/ruby",
      options: ["-e", RUBY],
    },
    {
      library: "Flask-WTF (Debian)",
      version: "1.1.1",
      file: "/usr/lib/python3/dist-packages/flask_wtf",
      command: "/usr/bin/python3",
      options: ["-c", PYTHON],
    },
  ];
  return all
    .filter(({ file, command }) => existsSync(file) && existsSync(command))
    .map(({ library, version, command, options }) => ({
      library,
      version,
      level: "A",
      verify: (place, token) => runScript(command, options, place, token),
    }));
}

/** All server libraries that are installed. */
export async function loadServerLibraries(): Promise<readonly ServerLibrary[]> {
  return [
    await betterAuth("cloudflare-turnstile"),
    await betterAuth("google-recaptcha"),
    await betterAuth("hcaptcha"),
    await betterAuth("captchafox"),
    await enterprise(),
    await nestlab(),
    await friendly(),
    await recaptcha2(),
    await expressRecaptcha("RecaptchaV2"),
    await expressRecaptcha("RecaptchaV3"),
    await hcaptcha(),
    await nextTurnstile(),
    ...debian(),
  ];
}
