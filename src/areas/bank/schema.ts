import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { pageQuery } from "../../kernel/page";
import { Currency, CustomerRefId, literals, nullable } from "../../kernel/schema";
import { amountMax } from "../invoices/balance/schema";
import { allocationsMax } from "../invoices/payments/rules.take";
import { excesses } from "../invoices/payments/schema";
import { matchingReasons, matchingRules } from "./matching/schema";
import { statementFormats } from "./statements/rules.statement";
import { CsvMapping } from "./statements/schema.mapping";

// Everything here is ours: the interface has no bank statements.

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });
const nullableText = nullable(Type.String());

/** IMPORTING: the file is accepted, and Tollgate records and matches its entries. */
export const importStates = ["IMPORTING", "IMPORTED"] as const;

/**
 * OUTGOING: money left the account. UNMATCHED: no open invoice fits. PROPOSED: a person decides. RECORDED: it is a receipt.
 * UNDONE: it is a receipt, and a person has undone its allocations. REJECTED: a person said that it pays no invoice.
 */
export const entryStates = ["OUTGOING", "UNMATCHED", "PROPOSED", "RECORDED", "UNDONE", "REJECTED"] as const;
export type EntryState = (typeof entryStates)[number];

/** The invoices (by id) that an entry may pay, and why. The customer is a row id. */
export const BankProposal = Type.Object(
	{
		rule: literals(...matchingRules),
		customerId: Type.String(),
		invoiceIds: Type.Array(Type.String()),
		reasons: Type.Array(literals(...matchingReasons)),
	},
	closed,
);
export type BankProposal = Static<typeof BankProposal>;

/** A payment may fall short of its invoices by this amount, in major units. */
export const FeeTolerance = Type.Object(
	{ currency: Currency, amount: ExactNumber({ exclusiveMinimum: 0, maximum: amountMax }) },
	closed,
);
export type FeeTolerance = Static<typeof FeeTolerance>;

/** A missing field stays; null clears the mapping. */
export const BankAccountSettings = Type.Object(
	{
		feeTolerance: Type.Optional(Type.Array(FeeTolerance, { maxItems: 20 })),
		csvMapping: Type.Optional(nullable(CsvMapping)),
	},
	closed,
);
export type BankAccountSettings = Static<typeof BankAccountSettings>;

/** Blanks may stand in it. */
const Iban = Type.String({ maxLength: 42, pattern: "^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9 ]{6,38}$", description: "an IBAN" });

export const BankAccountPath = Type.Object({ iban: Iban }, closed);
export const BankListQuery = Type.Object(pageQuery, closed);

export const BankAccount = Type.Object(
	{
		bankAccountId: Type.String(),
		legalEntityId: Type.String(),
		iban: Type.String(),
		feeTolerance: Type.Array(FeeTolerance),
		csvMapping: nullable(CsvMapping),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "BankAccount", ...closed },
);
export type BankAccount = Static<typeof BankAccount>;

/** The IBAN of a CSV file, whose saved mapping reads it. Other files state their account. */
export const BankImportQuery = Type.Object({ account: Type.Optional(Iban) }, closed);
export const BankImportPath = Type.Object({ importId: Id }, closed);

const count = Type.Integer({ minimum: 0 });

export const BankImport = Type.Object(
	{
		importId: Type.String(),
		taskId: Type.String(),
		format: literals(...statementFormats),
		state: literals(...importStates),
		statementsCount: count,
		entriesCount: count,
		/** Entries that an earlier import recorded; this one records nothing for them. */
		knownCount: count,
		outgoingCount: count,
		recordedCount: count,
		proposedCount: count,
		unmatchedCount: count,
		createdAt: Type.String(),
		endedAt: nullableText,
	},
	{ $id: "BankImport", ...closed },
);
export type BankImport = Static<typeof BankImport>;

export const BankStatementListQuery = Type.Object({ ...pageQuery, bankAccountId: Type.Optional(Id) }, closed);
export type BankStatementListQuery = Static<typeof BankStatementListQuery>;

export const BankStatement = Type.Object(
	{
		statementId: Type.String(),
		bankAccountId: Type.String(),
		importId: Type.String(),
		number: nullableText,
		sequence: nullable(Type.Integer()),
		currency: nullableText,
		openingBalance: nullable(Type.Number()),
		closingBalance: nullable(Type.Number()),
		/** The recorded entries. */
		entriesCount: count,
		/** The numbers between the former statement of this year and this one; null if none is missing. */
		missing: nullable(Type.Object({ from: Type.Integer(), to: Type.Integer() }, closed)),
		createdAt: Type.String(),
	},
	{ $id: "BankStatement", ...closed },
);
export type BankStatement = Static<typeof BankStatement>;

export const BankEntryListQuery = Type.Object(
	{
		...pageQuery,
		state: Type.Optional(literals(...entryStates)),
		statementId: Type.Optional(Id),
		customerId: Type.Optional(CustomerRefId),
	},
	closed,
);
export type BankEntryListQuery = Static<typeof BankEntryListQuery>;
export const BankEntryPath = Type.Object({ entryId: Id }, closed);

/** The customer is the caller's id. */
const ShownProposal = Type.Object(
	{
		rule: literals(...matchingRules),
		customerId: Type.String(),
		invoices: Type.Array(
			Type.Object({ invoiceId: Type.String(), number: Type.String(), amountDue: Type.Number() }, closed),
		),
		reasons: Type.Array(literals(...matchingReasons)),
	},
	closed,
);

export const BankEntry = Type.Object(
	{
		entryId: Type.String(),
		bankAccountId: Type.String(),
		statementId: Type.String(),
		state: literals(...entryStates),
		/** Negative for money that left the account. */
		amount: Type.Number(),
		currency: Type.String(),
		bookedOn: Type.String(),
		valueOn: nullableText,
		isReversal: Type.Boolean(),
		bankReference: nullableText,
		endToEndId: nullableText,
		mandateId: nullableText,
		creditorReference: nullableText,
		returnCode: nullableText,
		partyName: nullableText,
		partyIban: nullableText,
		text: Type.String(),
		/** The best first. */
		proposals: Type.Array(ShownProposal),
		/** The payer of the receipt. */
		customerId: nullableText,
		receiptId: nullableText,
		/** Whether Tollgate allocated the money without a person. */
		isAutomatic: Type.Boolean(),
		decidedAt: nullableText,
		createdAt: Type.String(),
	},
	{ $id: "BankEntry", ...closed },
);
export type BankEntry = Static<typeof BankEntry>;

/** One of the three: a proposal by its position from 0, invoices of one customer, or a customer alone. */
export const BankEntryConfirmation = Type.Object(
	{
		proposal: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
		invoiceIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: allocationsMax })),
		customerId: Type.Optional(CustomerRefId),
		/** Where the rest goes; by default it is unallocated. */
		excess: Type.Optional(literals(...excesses)),
	},
	closed,
);
export type BankEntryConfirmation = Static<typeof BankEntryConfirmation>;
