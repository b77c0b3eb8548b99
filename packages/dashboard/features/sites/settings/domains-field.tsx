import { TextAreaField } from "../../../ui/field.tsx";
import { SETTINGS } from "../text.ts";
import { cleanDomains } from "./domains.ts";

type DomainsFieldProps = { readonly value: string; readonly onValue: (value: string) => void };

/**
 * Domains, one per line; shows which host names it reads from pasted addresses, and from lines with
 * several.
 */
export function DomainsField({ value, onValue }: DomainsFieldProps) {
  const { cleaned } = cleanDomains(value);
  return (
    <TextAreaField
      label={SETTINGS.domains}
      name="domains"
      value={value}
      onValue={onValue}
      required
      help={
        <>
          {SETTINGS.domainsHelp}
          {cleaned.length > 0 && (
            <span class="row-note" role="status">
              {SETTINGS.cleaned} {[...new Set(cleaned.map(({ host }) => host))].join(", ")}
            </span>
          )}
        </>
      }
    />
  );
}
