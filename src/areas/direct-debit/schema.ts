import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { Address, CustomerRefId, literals, nullable } from "../../kernel/schema";

// Everything here is ours: the interface has no direct debits.

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });
const nullableText = nullable(Type.String());

/** The schemes: CORE for everyone, B2B for companies that have registered the mandate at their bank. */
export const schemes = ["CORE", "B2B"] as const;

/** RECURRENT: any number of debits. ONE_OFF: one. */
export const mandateKinds = ["RECURRENT", "ONE_OFF"] as const;

/**
 * REVOKED: by the customer or by you. STOPPED: the bank returned a debit with a code that ends the mandate. USED: the debit of a ONE_OFF was
 * sent. EXPIRED: not used for 36 months.
 */
export const mandateStates = ["ACTIVE", "REVOKED", "STOPPED", "USED", "EXPIRED"] as const;
export type MandateState = (typeof mandateStates)[number];

/** The states that a row has; EXPIRED follows from the days. */
export const storedMandateStates = ["ACTIVE", "REVOKED", "STOPPED", "USED"] as const;

/** As in the file: the first, a further, or the only debit of a mandate. */
export const sequences = ["FRST", "RCUR", "OOFF"] as const;
export type Sequence = (typeof sequences)[number];

/**
 * PLANNED: announced, in no file yet. IN_FILE: a file has it, and the bank has not said more. SETTLED: the money is a receipt. RETURNED: the
 * bank rejected or returned it. CANCELED: it was in no file.
 */
export const debitStates = ["PLANNED", "IN_FILE", "SETTLED", "RETURNED", "CANCELED"] as const;
export type DebitState = (typeof debitStates)[number];

/** The states of the mail that announces a debit. TEST_CLOCK: an environment with a test clock sends none. */
export const announcements = ["PENDING", "SENT", "FAILED", "NO_ADDRESS", "NO_MAIL_SERVER", "TEST_CLOCK"] as const;
export type Announcement = (typeof announcements)[number];

/** MAKING: a task puts debits into the file. READY: it can be downloaded. */
export const fileStates = ["MAKING", "READY"] as const;

/** The versions of the message that banks accept. */
export const fileFormats = ["pain.008.001.08", "pain.008.001.02"] as const;
export type FileFormat = (typeof fileFormats)[number];

export const Day = Type.String({
	pattern: "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
	description: "a day, such as 2026-02-01",
});

/** Blanks may stand in it. */
const Iban = Type.String({ maxLength: 42, pattern: "^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9 ]{6,38}$", description: "an IBAN" });
const Bic = Type.String({ pattern: "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$", description: "a BIC" });

/** The characters that banks transfer. */
const reference = "^[A-Za-z0-9+?:().,' -][A-Za-z0-9+?:().,'/ -]*$";

/** Defaults: the newer format, 14 days, and one entry in the statement for each debit. */
export const CreditorSettings = Type.Object(
	{
		creditorId: Type.String({ minLength: 8, maxLength: 45 }),
		format: Type.Optional(literals(...fileFormats)),
		leadDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
		batchBooking: Type.Optional(Type.Boolean()),
	},
	closed,
);
export type CreditorSettings = Static<typeof CreditorSettings>;

export const CreditorPath = Type.Object({ legalEntityId: Id }, closed);

export const DirectDebitCreditor = Type.Object(
	{
		legalEntityId: Type.String(),
		creditorId: Type.String(),
		iban: Type.String(),
		bic: nullableText,
		format: literals(...fileFormats),
		leadDays: Type.Integer(),
		batchBooking: Type.Boolean(),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "DirectDebitCreditor", ...closed },
);
export type DirectDebitCreditor = Static<typeof DirectDebitCreditor>;

/** Defaults: the customer's legal entity, a reference by Tollgate, CORE, RECURRENT, and the customer's name. */
export const MandateCreate = Type.Object(
	{
		customerId: CustomerRefId,
		legalEntityId: Type.Optional(Id),
		reference: Type.Optional(Type.String({ minLength: 1, maxLength: 35, pattern: reference })),
		scheme: Type.Optional(literals(...schemes)),
		kind: Type.Optional(literals(...mandateKinds)),
		iban: Iban,
		bic: Type.Optional(Bic),
		debtorName: Type.Optional(Type.String({ minLength: 1, maxLength: 70 })),
		debtorAddress: Type.Optional(Address),
		signedOn: Day,
	},
	closed,
);
export type MandateCreate = Static<typeof MandateCreate>;

export const MandatePath = Type.Object({ mandateId: Id }, closed);
export const MandateListQuery = Type.Object({ ...pageQuery, customerId: Type.Optional(CustomerRefId) }, closed);
export type MandateListQuery = Static<typeof MandateListQuery>;

export const Mandate = Type.Object(
	{
		mandateId: Type.String(),
		/** The caller's id. */
		customerId: Type.String(),
		legalEntityId: Type.String(),
		reference: Type.String(),
		creditorId: Type.String(),
		scheme: literals(...schemes),
		kind: literals(...mandateKinds),
		state: literals(...mandateStates),
		iban: nullableText,
		bic: nullableText,
		debtorName: Type.String(),
		debtorAddress: nullable(Address),
		signedOn: Type.String(),
		/** The day of the last debit in a file. */
		lastCollectedOn: nullableText,
		/** Without a further debit. */
		expiresOn: Type.String(),
		/** The code of the return that stopped it. */
		stopCode: nullableText,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Mandate", ...closed },
);
export type Mandate = Static<typeof Mandate>;

/** Without a mandate: the newest ACTIVE one of the customer for the invoice's legal entity. */
export const DebitCreate = Type.Object({ invoiceId: Id, mandateId: Type.Optional(Id) }, closed);
export type DebitCreate = Static<typeof DebitCreate>;

export const DebitPath = Type.Object({ debitId: Id }, closed);

export const DebitListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		invoiceId: Type.Optional(Id),
		fileId: Type.Optional(Id),
		state: Type.Optional(literals(...debitStates)),
	},
	closed,
);
export type DebitListQuery = Static<typeof DebitListQuery>;

/** Defaults: today. */
export const DebitReturn = Type.Object(
	{
		code: Type.String({ pattern: "^[A-Z]{2}[0-9]{2}$", description: "an ISO 20022 return code, such as AM04" }),
		returnedOn: Type.Optional(Day),
	},
	closed,
);
export type DebitReturn = Static<typeof DebitReturn>;

export const DirectDebit = Type.Object(
	{
		debitId: Type.String(),
		state: literals(...debitStates),
		/** The caller's id. */
		customerId: Type.String(),
		legalEntityId: Type.String(),
		mandateId: Type.String(),
		mandateReference: Type.String(),
		invoiceId: Type.String(),
		/** In euro. */
		amount: Type.Number(),
		/** The day on which the bank collects it. A day without TARGET is never one. */
		collectionOn: Type.String(),
		announcement: literals(...announcements),
		sequence: nullable(literals(...sequences)),
		fileId: nullableText,
		/** As in the file and in statements. */
		endToEndId: Type.String(),
		receiptId: nullableText,
		returnCode: nullableText,
		returnedOn: nullableText,
		/** Until then, the debtor's bank may return it: without a reason, and without a valid mandate. Only of a SETTLED one. */
		returnableUntil: nullableText,
		unauthorizedUntil: nullableText,
		createdAt: Type.String(),
		endedAt: nullableText,
	},
	{ $id: "DirectDebit", ...closed },
);
export type DirectDebit = Static<typeof DirectDebit>;

/** Defaults: the default legal entity, and the debits of the next five banking days. */
export const DebitFileCreate = Type.Object(
	{ legalEntityId: Type.Optional(Id), collectUntil: Type.Optional(Day) },
	closed,
);
export type DebitFileCreate = Static<typeof DebitFileCreate>;

export const DebitFilePath = Type.Object({ fileId: Id }, closed);
export const DebitFileListQuery = Type.Object(pageQuery, closed);

/** Defaults: today. */
export const DebitFileSettlement = Type.Object({ bookedOn: Type.Optional(Day) }, closed);
export type DebitFileSettlement = Static<typeof DebitFileSettlement>;

export const DirectDebitFile = Type.Object(
	{
		fileId: Type.String(),
		state: literals(...fileStates),
		taskId: Type.String(),
		legalEntityId: Type.String(),
		format: literals(...fileFormats),
		messageId: Type.String(),
		collectUntil: Type.String(),
		debitsCount: Type.Integer(),
		/** In euro: the control sum. */
		total: Type.Number(),
		createdAt: Type.String(),
	},
	{ $id: "DirectDebitFile", ...closed },
);
export type DirectDebitFile = Static<typeof DirectDebitFile>;
