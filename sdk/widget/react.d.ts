// The types of `<stile-captcha>` in React's JSX, for pages that write the element themselves:
// `import type {} from "@stile/widget/react"`.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { StileCaptcha, StileCaptchaAttributes } from "./stile.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "stile-captcha": DetailedHTMLProps<
        Omit<HTMLAttributes<StileCaptcha>, keyof StileCaptchaAttributes>,
        StileCaptcha
      > &
        StileCaptchaAttributes & { sitekey: string };
    }
  }
}
