/** Whether a host is only useful for testing: `localhost` or an address (D13, formats). */
export function isTestingHost(host: string): boolean {
  return host === "localhost" || host.startsWith("[") || /^[\d.]+$/.test(host);
}
