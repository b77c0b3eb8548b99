/**
 * The URL of a one-time link. Its token is in the fragment, which browsers send to no server, so it
 * is in no log and no Referer.
 */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/link#${token}`;
}
