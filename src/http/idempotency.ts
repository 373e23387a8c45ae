import { and, eq, lt } from "drizzle-orm";
import type { Instant } from "../kernel/clock";
import { fail } from "../kernel/errors";
import type { Work } from "../kernel/work";
import { idempotencyKeys } from "./table";

/** Source: choices.md, HTTP. */
const keptMs = 24 * 60 * 60 * 1000;

/** Our choice: as long as any id of the interface. */
const keyLengthMax = 255;

/** A POST that carries an `Idempotency-Key`. */
export interface KeyedCall {
	readonly method: string;
	readonly path: string;
	readonly key: string;
	readonly bodyHash: string;
}

export const hashBody = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

export function readKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key") ?? undefined;
	if (key !== undefined && (key === "" || key.length > keyLengthMax))
		throw fail("BadUserInput", `Send an 'Idempotency-Key' of 1 to ${keyLengthMax} characters.`);
	return key;
}

export interface KeptAnswer {
	readonly status: number;
	readonly answer: unknown;
}

/** The answer that was given to this call before; undefined when it is new. Another body under the same key is 400. */
export function findKept(work: Work, { method, path, key, bodyHash }: KeyedCall): KeptAnswer | undefined {
	const kept = work.tx
		.select()
		.from(idempotencyKeys)
		.where(
			and(
				eq(idempotencyKeys.environmentId, work.actor.environmentId),
				eq(idempotencyKeys.method, method),
				eq(idempotencyKeys.path, path),
				eq(idempotencyKeys.key, key),
			),
		)
		.get();
	if (!kept || kept.createdAt <= work.now - keptMs) return undefined;
	if (kept.bodyHash !== bodyHash)
		throw fail(
			"BadUserInput",
			`The Idempotency-Key '${key}' was used with another body; use a new key for a new request.`,
		);
	return kept;
}

/**
 * Keeps an answer in the transaction that earned it: after a crash either both are there or neither is. Refusals are not
 * kept, since they changed nothing. Forgets what is older than a day, a few rows with each new one.
 */
export function keep(work: Work, call: KeyedCall, { status, answer }: KeptAnswer): void {
	work.tx
		.delete(idempotencyKeys)
		.where(
			and(
				eq(idempotencyKeys.environmentId, work.actor.environmentId),
				lt(idempotencyKeys.createdAt, (work.now - keptMs) as Instant),
			),
		)
		.run();
	work.tx
		.insert(idempotencyKeys)
		.values({ ...call, status, answer, environmentId: work.actor.environmentId, createdAt: work.now })
		.onConflictDoUpdate({
			target: [idempotencyKeys.environmentId, idempotencyKeys.method, idempotencyKeys.path, idempotencyKeys.key],
			set: { bodyHash: call.bodyHash, status, answer, createdAt: work.now },
		})
		.run();
}
