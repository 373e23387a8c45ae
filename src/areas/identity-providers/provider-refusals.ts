import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from "openid-client";
import { HttpRefusal } from "../../http/refusal";
import { codeOf, DomainError, fail, shorten } from "../../kernel/errors";
import type { IdentityProviderRow } from "./table";

export type CallPhase = "discovery" | "exchange";

/** The provider did not answer, or not in time. */
export class ProviderUnreachable extends Error {
	constructor(cause: unknown) {
		super("the provider does not answer", { cause });
	}
}

/** Returns the error for the person who signs in: its cause, and who can fix it. */
export function refusalOf({ name, issuer }: IdentityProviderRow, phase: CallPhase, error: unknown): Error {
	const chain = causesOf(error);
	const refusal = chain.find((one) => one instanceof DomainError || one instanceof HttpRefusal);
	if (refusal) return refusal;
	const unreachable = chain.find((one) => one instanceof ProviderUnreachable);
	if (unreachable || codeOf(error) === "OAUTH_TIMEOUT")
		return new HttpRefusal(
			503,
			`'${name}' does not answer${reason(unreachable)}. Try again shortly; if it stays so, see whether '${issuer}' can be reached from here.`,
			{ "Retry-After": "10" },
		);
	if (phase === "discovery")
		return fail(
			"IntegrationValidationError",
			codeOf(error) === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"
				? `What answers at '${issuer}' says that it is another issuer; set the issuer of '${name}' to what it says of itself.`
				: `What answers at '${issuer}' is no OpenID Connect provider; set the issuer of '${name}' to the address whose '/.well-known/openid-configuration' describes it.`,
		);
	if (error instanceof AuthorizationResponseError)
		return fail("Unauthenticated", `'${name}' has not let you in: ${shorten(error.error ?? "no reason given")}.`);
	if (error instanceof ResponseBodyError && error.error === "invalid_grant")
		return fail(
			"Unauthenticated",
			`'${name}' does not take this code: it was used, or is too old. Begin a new sign-in.`,
		);
	if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
		return fail(
			"IntegrationValidationError",
			`'${name}' does not take this application (${shorten(error instanceof ResponseBodyError ? error.error : "refused")}): have its client id, its client secret and the callback address compared with what is registered there.`,
		);
	return fail("Unauthenticated", `What '${name}' answers is not for this sign-in: ${mistake(chain)}. Begin a new one.`);
}

/** Describes the error in the ID token or in the redirect. */
function mistake(chain: readonly Error[]): string {
	const code = chain.map(codeOf).find((one) => one !== "");
	if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED") return `the '${claimIn(chain)}' of its ID token is another`;
	if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED")
		return "its ID token has expired, or the clocks of both differ by too much";
	return shorten(chain.at(-1)?.message ?? "it cannot be read");
}

function claimIn(chain: readonly Error[]): string {
	const details = chain
		.map(({ cause }) => cause)
		.find((cause) => typeof cause === "object" && cause && "claim" in cause);
	return details ? String((details as { claim: unknown }).claim) : "claim";
}

function causesOf(error: unknown): Error[] {
	const chain: Error[] = [];
	for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
	return chain;
}

function reason(unreachable: Error | undefined): string {
	const cause = unreachable?.cause;
	if (!(cause instanceof Error)) return "";
	const code = codeOf(cause);
	return ` (${shorten(code === "" ? cause.message : code)})`;
}
