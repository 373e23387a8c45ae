import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { literals, nullable } from "../../kernel/schema";
import { taskStatuses } from "../../tasks/rules";

/** The routes of this area are an addition to the interface. */
export const EraseQuery = Type.Object(
	{ dryRun: Type.Optional(literals("true", "false")) },
	{ additionalProperties: false },
);

export const ErasureListQuery = Type.Object(pageQuery, { additionalProperties: false });

const KeptOfCustomer = Type.Object({
	table: Type.String(),
	/** Null: not counted. */
	rows: nullable(Type.Integer()),
	why: Type.String(),
	/** The end of the retention; afterwards a second erasure may remove it. Null for indefinite retention. */
	until: nullable(Type.String()),
});
export type KeptOfCustomer = Static<typeof KeptOfCustomer>;

const Certificate = Type.Object({
	id: Type.String(),
	customerId: Type.String(),
	/** Replaces names. */
	token: Type.String(),
	requestedBy: Type.Object({ type: Type.String(), id: Type.String() }),
	requestedAt: Type.String(),
	completedAt: Type.String(),
	/** Rows by table. */
	erased: Type.Record(Type.String(), Type.Integer()),
	kept: Type.Array(KeptOfCustomer),
});
export type Certificate = Static<typeof Certificate>;

/** The hash covers the certificate as JSON without spaces, in the order of its fields. */
export const Erasure = Type.Object({
	id: Type.String(),
	customerId: Type.String(),
	taskId: Type.String(),
	status: literals(...taskStatuses),
	requestedAt: Type.String(),
	completedAt: nullable(Type.String()),
	certificate: nullable(Certificate),
	sha256: nullable(Type.String()),
});
export type Erasure = Static<typeof Erasure>;

export const ErasurePreview = Type.Object({
	customerId: Type.String(),
	/** The number of rows by table, counted up to 10,000; null if not counted. */
	erases: Type.Record(Type.String(), nullable(Type.Integer())),
	kept: Type.Array(KeptOfCustomer),
});
export type ErasurePreview = Static<typeof ErasurePreview>;
