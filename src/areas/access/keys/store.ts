import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Page, type PageQuery, readTablePage } from "../../../kernel/page";
import { changeRow, insertRow, saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { KeyStatus } from "../rules";
import { type ApiKeyRow, apiKeys, apiKeyUses, environments, type KeyKind } from "../table";

const keyByHash = (tx: Transaction) =>
	tx
		.select({ key: apiKeys, environment: environments })
		.from(apiKeys)
		.innerJoin(environments, eq(environments.id, apiKeys.environmentId))
		.where(eq(apiKeys.hash, sql.placeholder("hash")))
		.prepare();

export const findKeyByHash = (work: Work, hash: string) => work.remembered(keyByHash).get({ hash });

export const findKeyAnywhere = (work: Work, id: string): ApiKeyRow | undefined =>
	work.tx.select().from(apiKeys).where(eq(apiKeys.id, id)).get();

const inEnvironment = ({ actor }: Work): SQL => eq(apiKeys.environmentId, actor.environmentId);

export const findKey = (work: Work, id: string): ApiKeyRow | undefined =>
	work.tx
		.select()
		.from(apiKeys)
		.where(and(inEnvironment(work), eq(apiKeys.id, id)))
		.get();

export const selectKeys = (work: Work, ids: readonly string[]): ApiKeyRow[] =>
	ids.length === 0
		? []
		: work.tx
				.select()
				.from(apiKeys)
				.where(and(inEnvironment(work), inArray(apiKeys.id, [...ids])))
				.all();

export interface KeyFilter {
	/** A part of the name, in any case. */
	readonly displayName?: string | undefined;
	readonly kinds?: readonly KeyKind[] | undefined;
	readonly statuses: ReadonlySet<KeyStatus>;
}

const isOf = {
	ACTIVE: () => isNull(apiKeys.expiresAt),
	EXPIRING: (now: Instant) => and(isNotNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
	EXPIRED: (now: Instant) => and(isNotNull(apiKeys.expiresAt), lte(apiKeys.expiresAt, now)),
} as const;

const matching = (work: Work, { displayName, kinds, statuses }: KeyFilter): SQL | undefined =>
	and(
		displayName === undefined ? undefined : sql`instr(lower(${apiKeys.displayName}), ${displayName.toLowerCase()}) > 0`,
		kinds && inArray(apiKeys.kind, [...kinds]),
		or(...[...statuses].map((status) => isOf[status](work.machineNow))),
	);

export const pageKeys = (work: Work, page: PageQuery, filter: KeyFilter): Page<ApiKeyRow> =>
	readTablePage(work, page, apiKeys, inEnvironment(work), [matching(work, filter)]);

export const listKeysOf = (work: Work): ApiKeyRow[] =>
	work.tx.select().from(apiKeys).where(inEnvironment(work)).orderBy(desc(apiKeys.id)).all();

export const insertKey = (work: Work, key: Omit<ApiKeyRow, "id" | "createdAt" | "rotatedAt">): ApiKeyRow =>
	insertRow(work, apiKeys, { ...key, id: work.newId(), createdAt: work.machineNow });

export const saveKey = (
	work: Work,
	{ id }: ApiKeyRow,
	changes: Partial<
		Pick<ApiKeyRow, "displayName" | "description" | "scopes" | "allowedAddresses" | "expiresAt" | "rotatedAt">
	>,
): ApiKeyRow => changeRow(work, apiKeys, id, changes);

export function lastUsesOf(work: Work, ids: readonly string[]): Map<string, Instant> {
	if (ids.length === 0) return new Map();
	const uses = work.tx
		.select()
		.from(apiKeyUses)
		.where(inArray(apiKeyUses.keyId, [...ids]))
		.all();
	return new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
}

export const saveUse = (work: Work, keyId: string): void =>
	saveRow(work, apiKeyUses, { keyId, lastUsedAt: work.machineNow });
