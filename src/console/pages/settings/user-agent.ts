/** User agents also contain the names of other browsers; the first match of this list counts. */
const browsers = [
	["Edg", "Edge"],
	["OPR", "Opera"],
	["Firefox", "Firefox"],
	["Chrome", "Chrome"],
	["Safari", "Safari"],
	["curl", "curl"],
] as const;

const systems = [
	["iPhone", "iPhone"],
	["iPad", "iPad"],
	["Android", "Android"],
	["Windows", "Windows"],
	["Mac OS", "macOS"],
	["CrOS", "ChromeOS"],
	["Linux", "Linux"],
] as const;

/** Browser and system, such as "Firefox, macOS"; undefined if neither is known. */
export function nameOfUserAgent(userAgent: string): string | undefined {
	const named = [browsers, systems].flatMap((names) => names.find(([part]) => userAgent.includes(part))?.[1] ?? []);
	return named.length === 0 ? undefined : named.join(", ");
}
