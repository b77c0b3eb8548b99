"use client";
import { connect, execute, toAttributes } from "@stile/widget/component";
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";

/** The widget. Its functions may change with every rendering. */
export const Stile = forwardRef((props, ref) => {
  const { baseUrl } = props;
  const element = useRef(null);
  const current = useRef(props);
  useEffect(() => {
    current.current = props;
  });
  useEffect(() => connect(element.current, () => ({ ...current.current, baseUrl })), [baseUrl]);
  useImperativeHandle(
    ref,
    () => ({
      execute: () => execute(element.current, baseUrl),
      reset: () => element.current?.reset?.(),
    }),
    [baseUrl],
  );
  return createElement("stile-captcha", { ...toAttributes(props), ref: element });
});
Stile.displayName = "Stile";
