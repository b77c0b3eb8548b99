import { Stile } from "@stile/vue";
import { createSSRApp, h, KeepAlive, ref, Transition } from "vue";
import { renderToString } from "vue/server-renderer";

const captcha = ref();
const isPaused = ref(false);
const Paused = { render: () => h("p", { id: "paused" }, "One moment") };

const Page = {
  props: ["options"],
  setup: ({ options }) => {
    const report = (name) => (detail) => window.events.push([name, detail]);
    const handlers = {
      onVerify: report("verify"),
      onExpire: report("expire"),
      onError: report("error"),
    };
    return () => h(Stile, { ...options, ...handlers, ref: captcha });
  },
};

const App = {
  props: ["options"],
  setup:
    ({ options }) =>
    () =>
      h("form", { id: "form" }, [
        h("input", { id: "name", name: "name" }),
        h(Transition, null, () =>
          h(KeepAlive, null, () => (isPaused.value ? h(Paused) : h(Page, { options }))),
        ),
      ]),
};

const create = (options) => createSSRApp(App, { options });

export const render = (options) => renderToString(create(options));

export function hydrate(box, options) {
  const app = create(options);
  app.mount(box);
  Object.assign(window, {
    captcha: {
      get current() {
        return captcha.value;
      },
    },
    pause: () => {
      isPaused.value = true;
    },
    resume: () => {
      isPaused.value = false;
    },
  });
  return () => app.unmount();
}
