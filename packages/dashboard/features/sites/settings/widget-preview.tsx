import type { SiteMode, Theme } from "@stile/protocol/site-settings";
import { createElement } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SelectField } from "../../../ui/field.tsx";
import { SETTINGS } from "../text.ts";

const SCRIPT = "/stile.js";

/**
 * The id of the form that owns the preview's widget; `PreviewForm` draws it, outside any other
 * form.
 */
const FORM_ID = "widget-preview";

/**
 * A widget wakes when its form is touched; without a form, or with an empty one, when the page is
 * touched. The preview's widget belongs to this form, whose content nobody can touch, so it never
 * wakes. The form also keeps the widget out of the settings' own validation.
 */
export function PreviewForm() {
  return (
    <form id={FORM_ID} hidden>
      <span />
    </form>
  );
}

type WidgetPreviewProps = {
  readonly siteKey: string;
  readonly mode: SiteMode;
  readonly theme: Theme;
  readonly language: string;
};

/** The part of the widget's interface that is used here. */
type Widget = { readonly configure: (options: { readonly endpoint: string }) => void };

/** Defines the widget, once per page: a module doesn't know where its service is. */
async function loadWidget(): Promise<void> {
  await import(/* @vite-ignore */ SCRIPT);
  if (customElements.get("stile-captcha") !== undefined) return;
  (globalThis as unknown as { readonly stile: Widget }).stile.configure({
    endpoint: location.origin,
  });
}

/**
 * The real widget as it will look, at rest: it is inert, and nothing wakes it. Needs `PreviewForm`
 * in the page.
 */
export function WidgetPreview(props: WidgetPreviewProps) {
  const [hasFailed, setFailed] = useState(false);
  const [ground, setGround] = useState<string>("light");
  useEffect(() => {
    loadWidget().catch(() => setFailed(true));
  }, []);
  return (
    <section class="preview" aria-label={SETTINGS.preview}>
      <SelectField
        label={SETTINGS.previewGround}
        name="ground"
        value={ground}
        onValue={setGround}
        options={Object.entries(SETTINGS.previewGrounds).map(([value, label]) => ({
          value,
          label,
        }))}
        help={SETTINGS.previewIntro}
      />
      {hasFailed ? (
        <p role="alert">{SETTINGS.previewFailed}</p>
      ) : (
        <div class={`preview-ground ${ground}`} inert>
          {props.mode === "invisible" ? (
            <p>{SETTINGS.previewInvisible}</p>
          ) : (
            createElement("stile-captcha", {
              sitekey: props.siteKey,
              theme: props.theme,
              language: props.language,
              form: FORM_ID,
            })
          )}
        </div>
      )}
    </section>
  );
}
