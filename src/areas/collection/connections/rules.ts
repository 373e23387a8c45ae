import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { ProviderConnection } from "./schema";

/** The account that accepted the credentials. */
export interface VerifiedAccount {
	readonly account: string;
	readonly live: boolean;
}

const dayMs = 86_400_000;

/** Returns until when the former webhook secret is accepted. */
export const formerSecretMs = (now: Instant): Instant => (now + dayMs) as Instant;

/** LIVE credentials need an environment whose clock cannot be turned. Throws InvalidArgumentError. */
export function assertMayBeLive(mode: ProviderConnection["mode"], kind: string | undefined): void {
	if (mode === "LIVE" && kind !== "PRODUCTION")
		throw fail(
			"InvalidArgumentError",
			"'mode' LIVE needs a production environment: a sandbox can have a test clock, and its charges would move money. Use TEST credentials here.",
		);
}

/** The account is of the other mode than the caller states. */
export const wrongMode = ({ account, live }: VerifiedAccount): string =>
	`'secretKey' is a ${live ? "LIVE" : "TEST"} key of '${account}'; state that 'mode', or send the other key.`;

/** Throws InvalidArgumentError for the address of a stand-in where it is not allowed. */
export function assertBaseUrl(baseUrl: string, mode: ProviderConnection["mode"], allowPrivate: boolean): void {
	if (mode !== "TEST") throw fail("InvalidArgumentError", "'baseUrl' is for stand-ins in 'mode' TEST; leave it out.");
	if (!allowPrivate)
		throw fail(
			"InvalidArgumentError",
			"'baseUrl' needs TOLLGATE_WEBHOOKS_ALLOW_PRIVATE=1: a stand-in runs on this machine or a private network.",
		);
	if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
		throw fail("InvalidArgumentError", "'baseUrl' must be an http or https address, such as http://127.0.0.1:4242.");
}
