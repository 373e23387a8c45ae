import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../../kernel/schema";
import { encodings } from "./rules.source";

const Column = Type.String({ minLength: 1, maxLength: 100 });
const optional = Type.Optional(nullable(Column));

/** The names of the columns, as the file's row of names writes them. */
const Columns = Type.Object(
	{
		bookedOn: Column,
		valueOn: optional,
		/** A signed amount; or two columns, of which one is empty. */
		amount: optional,
		credit: optional,
		debit: optional,
		/** A column that says whether the amount is a debit, such as S and H. */
		indicator: optional,
		currency: optional,
		/** The balance after the entry. With it Tollgate checks that the file is whole. */
		balance: optional,
		partyName: optional,
		partyIban: optional,
		text: Type.Optional(Type.Array(Column, { maxItems: 5 })),
		endToEndId: optional,
		mandateId: optional,
		creditorReference: optional,
		bankReference: optional,
		returnCode: optional,
	},
	{ additionalProperties: false },
);

export const dateFormats = ["YYYY-MM-DD", "DD.MM.YYYY", "DD.MM.YY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD"] as const;

/** How a bank writes its CSV files. */
export const CsvMapping = Type.Object(
	{
		/** A tab is one, too. */
		delimiter: Type.Optional(Type.String({ pattern: "^[,;|\\t]$", description: "a comma, semicolon, bar or tab" })),
		decimalSeparator: Type.Optional(literals(".", ",")),
		dateFormat: Type.Optional(literals(...dateFormats)),
		encoding: Type.Optional(nullable(literals(...encodings))),
		/** The lines before the row of names. */
		linesBefore: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
		/** The texts of `indicator` that mean a debit. */
		debitIndicators: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 20 }), { maxItems: 10 })),
		/** The currency of a file without such a column: ISO 4217, any case. */
		currency: Type.Optional(Type.String({ minLength: 3, maxLength: 3 })),
		columns: Columns,
	},
	{ additionalProperties: false },
);
export type CsvMapping = Static<typeof CsvMapping>;
