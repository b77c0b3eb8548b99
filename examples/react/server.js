import { createStile } from "@stile/server-sdk";
import { requirePerson } from "@stile/server-sdk/express";
import express from "express";

const { CAPTCHA_URL, STILE_SECRET, PORT = 3000 } = process.env;
const stile = createStile({ baseUrl: CAPTCHA_URL, secretKey: STILE_SECRET });

const app = express();
app.use(express.static("dist"));
app.post("/sign-up", express.json(), requirePerson(stile), (request, response) =>
  response.type("text").send(`Welcome, ${request.body.email}`),
);
app.listen(PORT);
