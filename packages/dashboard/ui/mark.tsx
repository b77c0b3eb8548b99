/** The product's mark: a stile, steps over a fence. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
      <path d="M6 4v20M22 4v20M2 9h24M2 16h4M22 16h4" />
      <path class="steps" d="M4 24h6v-5h4v-5h6" />
    </svg>
  );
}
