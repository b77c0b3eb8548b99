import { Stile } from "@stile/react";
import { StrictMode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

function SignUp() {
  const captcha = useRef(null);
  const [answer, setAnswer] = useState("");

  async function send(event) {
    event.preventDefault();
    const email = new FormData(event.target).get("email");
    const token = await captcha.current.execute();
    const response = await fetch("/sign-up", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, "stile-response": token }),
    });
    setAnswer(await response.text());
  }

  return (
    <form onSubmit={send}>
      <label>
        Email <input name="email" type="email" required />
      </label>
      <Stile ref={captcha} baseUrl={CAPTCHA_URL} siteKey={SITE_KEY} />
      <button type="submit">Sign up</button>
      <p>{answer}</p>
    </form>
  );
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <SignUp />
  </StrictMode>,
);
