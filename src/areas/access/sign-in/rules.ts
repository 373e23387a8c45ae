import { Secret, TOTP } from "otpauth";
import type { Instant } from "../../../kernel/clock";
import type { SecondFactorRow } from "./table";

/** Ten wrong passwords in ten minutes (docs/interface/access.md#users). */
export const wrongMax = 10;
export const wrongWindowMs = 10 * 60 * 1000;

/** Wrong passwords for an account are counted for an hour. */
export const accountWindowMs = 60 * 60 * 1000;

/** The maximum that one network can send for an account in an hour. Up to this number, the account is not delayed. */
const undelayedMax = (wrongMax * accountWindowMs) / wrongWindowMs;

/** The number of doublings after which the delay exceeds the window. */
export const accountWrongMax = undelayedMax + Math.ceil(Math.log2(accountWindowMs / 1000));

/** Returns the delay after the newest wrong password: one second at first, doubled by each further one. */
export const accountDelayMs = (wrong: number): number =>
	wrong <= undelayedMax ? 0 : 2 ** (wrong - undelayedMax - 1) * 1000;

/** RFC 6238, as authenticator apps implement it: six digits, a new code every 30 seconds. */
const periodSeconds = 30;

/** A clock may be off by one step in either direction. */
const stepsOff = 1;

/** The number of recovery codes. */
export const recoveryCodesCount = 10;

/** Derives the secret of an app from the folder's secret, so the database contains no secret. */
const appOf = (folderSecret: string, factorId: string, label: string): TOTP =>
	new TOTP({
		issuer: "Tollgate",
		label,
		period: periodSeconds,
		// The same number of bytes as the hash of the codes.
		secret: Secret.fromHex(
			new Bun.CryptoHasher("sha256", folderSecret).update(`second factor ${factorId}`).digest("hex").slice(0, 40),
		),
	});

/** Returns the data for the app: the secret to type, and the URI of a QR code. */
export function enrolmentOf(folderSecret: string, { id }: SecondFactorRow, email: string) {
	const app = appOf(folderSecret, id, email);
	return { secret: app.secret.base32, uri: app.toString() };
}

/** Returns the time step of a code; undefined for a wrong one, or one that was used. */
export function stepOfCode(
	folderSecret: string,
	{ id, lastStep }: SecondFactorRow,
	code: string,
	now: Instant,
): number | undefined {
	const delta = appOf(folderSecret, id, "").validate({ token: code, timestamp: now, window: stepsOff });
	if (delta === null) return undefined;
	const step = Math.floor(now / (periodSeconds * 1000)) + delta;
	return lastStep !== null && step <= lastStep ? undefined : step;
}

/** Normalizes a typed code before it is hashed. */
export const plainRecoveryCode = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();
