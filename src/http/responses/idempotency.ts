import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { saveRow } from "../../kernel/storage/rows";
import {
	type Actor,
	type Cause,
	type Sync,
	type Transaction,
	type Transactions,
	type Work,
	writeDurably,
} from "../../kernel/work";
import { hashText } from "../hash";
import { HttpRefusal } from "../refusal";
import { idempotencyKeys } from "./table";

/** Source: docs/interface/http.md. */
const keptMs = 24 * 60 * 60 * 1000;

/** Our choice: as long as any id of the interface. */
const keyLengthMax = 255;

/** A POST that carries an `Idempotency-Key`. Its body's hash is of the text as it came. */
export interface KeyedCall {
	readonly method: string;
	readonly path: string;
	readonly key: string;
	readonly bodyHash: string;
}

export function readKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key") ?? undefined;
	if (key !== undefined && (key === "" || key.length > keyLengthMax))
		throw fail("BadUserInput", `Send an 'Idempotency-Key' of 1 to ${keyLengthMax} characters.`);
	return key;
}

/** The call, when it is a POST that carries a key. */
export function keyedCall({ method, headers, url }: Request, text: string): KeyedCall | undefined {
	const key = method === "POST" ? readKey(headers) : undefined;
	return key === undefined ? undefined : { method, path: new URL(url).pathname, key, bodyHash: hashText(text) };
}

/** What guards a call: the transactions of its caller, and what to do when the answer is one that was kept. */
export interface Guard {
	readonly transactions: Transactions;
	readonly actor: Actor;
	/** For the audit log. */
	readonly cause: Cause;
	/** Undefined: the call carries no key, and simply runs. */
	readonly call: KeyedCall | undefined;
	readonly onReplay: () => void;
}

/** Runs `body` at most once under its key, in the write transaction that also keeps the answer; answers once that is on disk. */
export function writeOnce<T>(
	{ transactions, actor, cause, call, onReplay }: Guard,
	status: number,
	body: (work: Work) => T,
	...sync: Sync<T>
): Promise<T> {
	const guarded = (work: Work): T => {
		Object.assign(work.cause, cause);
		if (!call) return body(work);
		const kept = findKept(work, call);
		if (kept) {
			onReplay();
			// What this route answered under this key before.
			return kept.answer as T;
		}
		const answer = body(work);
		keep(work, call, { status, answer });
		return answer;
	};
	return writeDurably(transactions, actor, guarded, ...sync);
}

/** Calls that run now and are not kept yet: the same key meanwhile is 409, to be tried again (docs/interface/http.md). */
const underWay = new Set<string>();

/** For what is written elsewhere than in the main file: the answer is kept once it is there. */
export async function runOnce<T>({ transactions, actor, call, onReplay }: Guard, run: () => Promise<T>): Promise<T> {
	if (!call) return run();
	const slot = JSON.stringify([placeOf(actor), call.path, call.key]);
	if (underWay.has(slot))
		throw new HttpRefusal(409, `A call with the Idempotency-Key '${call.key}' is under way; try again shortly.`, {
			"Retry-After": "1",
			"x-should-retry": "true",
		});
	const kept = transactions.read(actor, (work) => findKept(work, call));
	if (kept) {
		onReplay();
		return kept.answer as T;
	}
	underWay.add(slot);
	try {
		const answer = await run();
		await writeDurably(transactions, actor, (work) => keep(work, call, { status: 200, answer }));
		return answer;
	} finally {
		underWay.delete(slot);
	}
}

/** What belongs to no environment is kept for the account. */
const placeOf = ({ environmentId, accountId }: Actor): string => environmentId || accountId;

export interface KeptAnswer {
	readonly status: number;
	readonly answer: unknown;
}

/**
 * The answer that was given to this call before; undefined when it is new. It belongs to the caller who earned it: another
 * one may not be allowed to see it, and is refused with 400 (our choice: to run the call again for a key that has just been
 * rotated would do it twice). Another body under the same key is 400 too.
 */
export function findKept(work: Work, { method, path, key, bodyHash }: KeyedCall): KeptAnswer | undefined {
	const kept = work.prepared(keptOf).get({ environmentId: placeOf(work.actor), method, path, key });
	if (!kept || kept.createdAt <= work.machineNow - keptMs) return undefined;
	if (kept.callerId !== null && kept.callerId !== work.actor.id)
		throw fail(
			"BadUserInput",
			`The Idempotency-Key '${key}' was used by another caller here; use a new key for a new request, or ask for its outcome with the API key or user that sent it.`,
		);
	if (kept.bodyHash !== bodyHash)
		throw fail(
			"BadUserInput",
			`The Idempotency-Key '${key}' was used with another body; use a new key for a new request.`,
		);
	return kept;
}

const keptOf = (tx: Transaction) =>
	tx
		.select()
		.from(idempotencyKeys)
		.where(
			and(
				eq(idempotencyKeys.environmentId, sql.placeholder("environmentId")),
				eq(idempotencyKeys.method, sql.placeholder("method")),
				eq(idempotencyKeys.path, sql.placeholder("path")),
				eq(idempotencyKeys.key, sql.placeholder("key")),
			),
		)
		.prepare();

/**
 * Keeps an answer in the transaction that earned it: after a crash either both are there or neither is. Refusals are not
 * kept, since they changed nothing.
 */
export function keep(work: Work, call: KeyedCall, { status, answer }: KeptAnswer): void {
	const { id } = work.actor;
	saveRow(work, idempotencyKeys, {
		...{ ...call, environmentId: placeOf(work.actor), callerId: id, status, createdAt: work.machineNow },
		answer: withoutSecrets(answer, work.secrets),
	});
}

/** A secret is shown once: the answer is kept with its beginning only. */
function withoutSecrets(answer: unknown, secrets: readonly string[]): unknown {
	if (secrets.length === 0) return answer;
	return JSON.parse(
		secrets.reduce((text, secret) => text.replaceAll(secret, beginningOf(secret)), JSON.stringify(answer)),
	);
}

/** Our choice: enough to tell one from another. */
const beginningOf = (secret: string): string => `${secret.slice(0, 13)}…`;

/** Forgets at most so many answers that are older than a day, of every environment; answers how many that were. */
export function purgeAnswers(work: Work, rowsMax: number): number {
	const piece = work.tx
		.select({ rowid: sql`rowid` })
		.from(idempotencyKeys)
		.where(lt(idempotencyKeys.createdAt, (work.machineNow - keptMs) as Instant))
		.limit(rowsMax);
	return work.tx.delete(idempotencyKeys).where(inArray(sql`rowid`, piece)).returning({ key: idempotencyKeys.key }).all()
		.length;
}
