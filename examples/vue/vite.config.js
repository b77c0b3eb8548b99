import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

const { CAPTCHA_URL, SITE_KEY } = process.env;

export default defineConfig({
  plugins: [vue()],
  define: { CAPTCHA_URL: JSON.stringify(CAPTCHA_URL), SITE_KEY: JSON.stringify(SITE_KEY) },
});
