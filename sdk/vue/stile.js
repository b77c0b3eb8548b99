import { connect, execute, OPTION_NAMES, toAttributes } from "@stile/widget/component";
import { defineComponent, h, onBeforeUnmount, onMounted, shallowRef } from "vue";

/** The widget. */
export const Stile = defineComponent({
  name: "StileCaptcha",
  props: ["baseUrl", ...OPTION_NAMES],
  emits: ["verify", "expire", "error"],
  setup(props, { emit, expose }) {
    const element = shallowRef();
    let disconnect;
    onMounted(() => {
      disconnect = connect(element.value, () => ({
        ...props,
        onVerify: (token) => emit("verify", token),
        onExpire: () => emit("expire"),
        onError: (error) => emit("error", error),
      }));
    });
    onBeforeUnmount(() => disconnect?.());
    expose({
      execute: () => execute(element.value, props.baseUrl),
      reset: () => element.value?.reset?.(),
    });
    return () => h("stile-captcha", { ...toAttributes(props), ref: element });
  },
});
