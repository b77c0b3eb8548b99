/** The product's logo, as in the widget: a stile, a ladder across the rail of a fence. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d="M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4" />
    </svg>
  );
}
