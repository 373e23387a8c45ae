import { Secret, TOTP } from "otpauth";
import type { Instant } from "../../../kernel/clock";
import type { SecondFactorRow } from "./table";

/** Source: docs/interface/access.md: ten wrong passwords in ten minutes. */
export const wrongMax = 10;
export const wrongWindowMs = 10 * 60 * 1000;

/** An account counts its wrong passwords for an hour. */
export const accountWindowMs = 60 * 60 * 1000;

/** The most that one network can send for an account in an hour. Up to here an account is not delayed. */
const undelayedMax = (wrongMax * accountWindowMs) / wrongWindowMs;

/** The number of doublings after which a delay is longer than the window. */
export const accountWrongMax = undelayedMax + Math.ceil(Math.log2(accountWindowMs / 1000));

/** How long after the newest wrong password an account accepts the next one: a second at first, doubled by each further one. */
export const accountDelayMs = (wrong: number): number =>
	wrong <= undelayedMax ? 0 : 2 ** (wrong - undelayedMax - 1) * 1000;

/** RFC 6238, as all known apps have it: six digits, a new code every 30 seconds. */
const periodSeconds = 30;

/** Our choice: a clock may be off by one step, either way. */
const stepsOff = 1;

/** Our choice: as many as a person prints on a card. */
export const recoveryCodesCount = 10;

/** Derived from the data folder's own secret, so that nothing recoverable lies in the database. */
const appOf = (folderSecret: string, factorId: string, label: string): TOTP =>
	new TOTP({
		issuer: "Tollgate",
		label,
		period: periodSeconds,
		// As many bytes as the hash of these codes has.
		secret: Secret.fromHex(
			new Bun.CryptoHasher("sha256", folderSecret).update(`second factor ${factorId}`).digest("hex").slice(0, 40),
		),
	});

/** What the app is told: the secret to be typed, and the address for a QR code. */
export function enrolmentOf(folderSecret: string, { id }: SecondFactorRow, email: string) {
	const app = appOf(folderSecret, id, email);
	return { secret: app.secret.base32, uri: app.toString() };
}

/** The time step that a code is of; undefined for a wrong one, and for one that was taken before. */
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

/** As it is hashed: however a person types it. */
export const plainRecoveryCode = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();
