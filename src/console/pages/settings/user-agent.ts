/** What a browser says of itself names others too, so that the first that fits counts. */
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

/** "Firefox, macOS", as far as it can be told; undefined where it cannot. */
export function nameOfUserAgent(userAgent: string): string | undefined {
	const named = [browsers, systems].flatMap((names) => names.find(([part]) => userAgent.includes(part))?.[1] ?? []);
	return named.length === 0 ? undefined : named.join(", ");
}
