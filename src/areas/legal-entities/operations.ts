import type { Instant } from "../../kernel/clock";
import { assert, fail, rejectBilling } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { findAccount, findEnvironment } from "../access/operations";
import {
	assertExchangeRates,
	assertLanguage,
	assertTaxIds,
	type CountedKind,
	checkedIban,
	countedYear,
	type DocumentKind,
	documentNumber,
	stemOf,
} from "./rules";
import { readLogo } from "./rules.logo";
import {
	type BankAccount,
	type LegalEntityCreate,
	type LegalEntityListQuery,
	type LegalEntityUpdate,
	numberFormatDefault,
} from "./schema";
import {
	entitiesMax,
	findDefault,
	findLogo,
	findPrefix,
	insertLegalEntity,
	insertLogo,
	insertPrefix,
	lastIssuedAt,
	nextCount,
	pageLegalEntities,
	saveLegalEntity,
	savePaymentAccount,
	selectByIds,
	selectLegalEntities,
	selectLogos,
	selectPaymentAccounts,
	selectPrefixes,
	selectSequences,
} from "./store";
import type { LegalEntityRow, LogoRow, NumberSequenceRow, PaymentAccountRow } from "./table";

export interface Issuer {
	readonly entity: LegalEntityRow;
	/** The default one first. */
	readonly accounts: readonly PaymentAccountRow[];
}

/** Used where the account has no name to go by. */
const fallbackName = "Default legal entity";
const accountName = "Default payment account";

/**
 * Returns the environment's default legal entity with its payment account, and creates both when they are first needed.
 * Creating them requires a writing `work`. Source: docs/interface/contracts.md#publishing.
 */
export function ensureDefaultLegalEntity(work: Work): Issuer {
	const known = findDefault(work);
	if (known) return withAccounts(work, [known])[0] as Issuer;
	const environment = findEnvironment(work, work.actor.environmentId);
	const name = environment && findAccount(work, environment.accountId)?.name;
	const entity = insertLegalEntity(work, { name: name || fallbackName, isDefault: true }, { name: accountName });
	takePrefixes(work, entity);
	return ensureDefaultLegalEntity(work);
}

/** Those that can be named, oldest first. */
export const listLegalEntities = (work: Work): Issuer[] => withAccounts(work, selectLegalEntities(work));

/** All of them, newest first. */
export function listAllLegalEntities(work: Work, query: LegalEntityListQuery): Page<Issuer & { readonly id: string }> {
	const { rows, ...page } = pageLegalEntities(work, query);
	return { ...page, rows: withAccounts(work, rows).map((issuer) => ({ ...issuer, id: issuer.entity.id })) };
}

/** Row id → issuer; archived ones too. */
export const issuersByIds = (work: Work, ids: readonly string[]): Map<string, Issuer> =>
	new Map(withAccounts(work, selectByIds(work, ids)).map((issuer) => [issuer.entity.id, issuer]));

/** Archived ones too: who names one goes on being invoiced by it. */
export const findIssuer = (work: Work, legalEntityId: string): Issuer | undefined =>
	issuersByIds(work, [legalEntityId]).get(legalEntityId);

/** By row id; null is the default one. Needs a writing `work` the first time. */
export function issuerOf(work: Work, legalEntityId: string | null): Issuer {
	if (legalEntityId === null) return ensureDefaultLegalEntity(work);
	const issuer = findIssuer(work, legalEntityId);
	assert(issuer, "a legal entity is never deleted");
	return issuer;
}

function withAccounts(work: Work, entities: readonly LegalEntityRow[]): Issuer[] {
	const ids = entities.map(({ id }) => id);
	const accounts = Map.groupBy(selectPaymentAccounts(work, ids), ({ legalEntityId }) => legalEntityId);
	return entities.map((entity) => ({
		entity,
		accounts: (accounts.get(entity.id) ?? []).toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault)),
	}));
}

/** The issuer of that id, or the default one; LEGAL_ENTITY_NOT_FOUND, of an archived one too. */
export function chooseIssuer(work: Work, legalEntityId: string | undefined): Issuer {
	const fallback = ensureDefaultLegalEntity(work);
	if (legalEntityId === undefined) return fallback;
	const issuer = findIssuer(work, legalEntityId);
	if (!issuer || issuer.entity.archivedAt !== null)
		throw rejectBilling(
			"LEGAL_ENTITY_NOT_FOUND",
			`There is no legal entity '${legalEntityId}'; see GET /api/v1/contracts/legal-entities.`,
		);
	return issuer;
}

/** The row id of what a customer or a plan is to be invoiced by. Throws InvalidArgumentError unless it is one that can be named. */
export function namedLegalEntity(work: Work, legalEntityId: string): string {
	const issuer = findIssuer(work, legalEntityId);
	if (!issuer || issuer.entity.archivedAt !== null)
		throw fail("InvalidArgumentError", `There is no legal entity '${legalEntityId}'; see GET /api/v1/legal-entities.`);
	return issuer.entity.id;
}

/** Throws InvalidArgumentError, InvalidTaxId, DuplicatedEntityNotAllowed when another one has the prefix. */
export function createLegalEntity(work: Work, input: LegalEntityCreate): Issuer {
	const former = ensureDefaultLegalEntity(work);
	if (selectLegalEntities(work).length >= entitiesMax)
		throw fail("InvalidArgumentError", `There are ${entitiesMax} legal entities already; archive one first.`);
	const { bankAccount, logo, numberFormat, isDefault = false, ...plain } = input;
	assertProfile(plain);
	if (isDefault) saveLegalEntity(work, former.entity, { isDefault: false });
	const { year = numberFormatDefault.year, padding = numberFormatDefault.padding, ...prefixes } = numberFormat;
	const entity = insertLegalEntity(
		work,
		{ ...plain, ...prefixes, isDefault, numberYear: year, numberPadding: padding },
		{ name: accountName, ...accountColumns(bankAccount ?? null) },
	);
	takePrefixes(work, entity);
	if (logo) saveLegalEntity(work, entity, { logoId: insertLogo(work, entity.id, readLogo(logo.contentBase64)).id });
	return issuerOf(work, entity.id);
}

/** Throws EntityIsArchivedError, and the codes of `createLegalEntity`. */
export function updateLegalEntity(work: Work, { entity, accounts }: Issuer, input: LegalEntityUpdate): Issuer {
	if (entity.archivedAt !== null)
		throw fail("EntityIsArchivedError", `The legal entity '${entity.name}' is archived; create another one.`);
	const { bankAccount, logo, numberFormat, isDefault, ...plain } = input;
	assertProfile(plain);
	if (isDefault && !entity.isDefault)
		saveLegalEntity(work, ensureDefaultLegalEntity(work).entity, { isDefault: false });
	const { year, padding, ...prefixes } = numberFormat ?? {};
	const changed = saveLegalEntity(work, entity, {
		...plain,
		...prefixes,
		...(isDefault && { isDefault }),
		...(year !== undefined && { numberYear: year }),
		...(padding !== undefined && { numberPadding: padding }),
		...(logo !== undefined && { logoId: logo && insertLogo(work, entity.id, readLogo(logo.contentBase64)).id }),
	});
	takePrefixes(work, changed);
	const [account] = accounts;
	assert(account, "a legal entity has a payment account");
	if (bankAccount !== undefined) savePaymentAccount(work, account, accountColumns(bankAccount));
	return issuerOf(work, entity.id);
}

/** It can be named no more; who names it keeps it. Archiving twice changes nothing. Throws InvalidArgumentError for the default one. */
export function archiveLegalEntity(work: Work, { entity }: Issuer): Issuer {
	if (entity.isDefault)
		throw fail(
			"InvalidArgumentError",
			`'${entity.name}' is the default legal entity; make another one the default first.`,
		);
	if (entity.archivedAt === null) saveLegalEntity(work, entity, { archivedAt: work.now });
	return issuerOf(work, entity.id);
}

function assertProfile({
	taxIds,
	language,
	exchangeRates,
}: Pick<LegalEntityUpdate, "taxIds" | "language" | "exchangeRates">): void {
	assertTaxIds(taxIds ?? []);
	assertExchangeRates(exchangeRates ?? []);
	if (language != null) assertLanguage(language);
}

const accountColumns = (account: BankAccount | null) => ({
	iban: account && checkedIban(account.iban),
	bic: account?.bic ?? null,
	bankName: account?.bankName ?? null,
});

/** Throws DuplicatedEntityNotAllowed when a prefix belongs to another one, or to its other kind of document. */
function takePrefixes(work: Work, { id, invoicePrefix, creditNotePrefix }: LegalEntityRow): void {
	const prefixes = [
		["INVOICE", invoicePrefix],
		["CREDIT_NOTE", creditNotePrefix],
	] as const;
	for (const [kind, prefix] of prefixes) {
		const stem = stemOf(prefix);
		const taken = findPrefix(work, stem);
		if (!taken) insertPrefix(work, { stem, legalEntityId: id, kind });
		else if (taken.legalEntityId !== id || taken.kind !== kind)
			throw fail(
				"DuplicatedEntityNotAllowed",
				`Numbers that begin with '${prefix}' belong to other documents, for good; choose another prefix.`,
			);
	}
}

export interface GivenNumber {
	readonly number: string;
	readonly issuedAt: Instant;
	/** The row in which it is counted, and its place there, from 1 without a gap. */
	readonly numberYear: number;
	readonly numberCount: number;
}

/**
 * The next number of a legal entity's invoices or credit notes, in the issuing transaction. Dates never run against the
 * numbers: what was to be dated before the last one is dated as that.
 */
export function giveNumber(work: Work, entity: LegalEntityRow, kind: DocumentKind, wantedAt: Instant): GivenNumber {
	const series = { legalEntityId: entity.id, kind };
	const issuedAt = Math.max(wantedAt, lastIssuedAt(work, series) ?? wantedAt) as Instant;
	const numberYear = countedYear(entity, issuedAt);
	const numberCount = nextCount(work, series, numberYear, issuedAt);
	return { number: documentNumber(entity, kind, numberYear, numberCount), issuedAt, numberYear, numberCount };
}

/** How many numbers were given, by legal entity and year, for what checks them. */
export const givenNumbers = (work: Work, kind: CountedKind): NumberSequenceRow[] => selectSequences(work, kind);

/** The prefixes that numbers of a kind have had, by legal entity, for the check of numbers. They are kept when a prefix changes. */
export const prefixesOf = (work: Work, kind: DocumentKind): Map<string, string[]> =>
	new Map(
		[...Map.groupBy(selectPrefixes(work, kind), ({ legalEntityId }) => legalEntityId)].map(([id, rows]) => [
			id,
			rows.map(({ stem }) => stem),
		]),
	);

/** By their ids, without the bytes. */
export const logosOf = (work: Work, issuers: readonly Issuer[]): Map<string, Omit<LogoRow, "bytes">> => {
	const ids = issuers.flatMap(({ entity }) => entity.logoId ?? []);
	return new Map(selectLogos(work, ids).map((logo) => [logo.id, logo]));
};

/** With its bytes. */
export const getLogo = (work: Work, logoId: string): LogoRow => {
	const logo = findLogo(work, logoId);
	assert(logo, "a logo is never deleted");
	return logo;
};

/** An account of that id of the issuer's, or its default one. PAYMENT_ACCOUNT_NOT_FOUND. */
export function choosePaymentAccount({ entity, accounts }: Issuer, paymentAccountId?: string): PaymentAccountRow {
	const [fallback] = accounts;
	assert(fallback, "a legal entity has a payment account");
	if (paymentAccountId === undefined) return fallback;
	const account = accounts.find(({ id }) => id === paymentAccountId);
	if (!account)
		throw rejectBilling(
			"PAYMENT_ACCOUNT_NOT_FOUND",
			`The legal entity '${entity.id}' has no payment account '${paymentAccountId}'; see GET /api/v1/contracts/legal-entities.`,
		);
	return account;
}

/** Returns the next number of a legal entity's receipts, from 1 without a gap. It is part of the caller's transaction. */
export const nextReceiptCount = (work: Work, legalEntityId: string): number =>
	nextCount(work, { legalEntityId, kind: "RECEIPT" }, 0, work.now);
