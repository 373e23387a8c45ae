import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Interval } from "../../kernel/period";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { packedPrices } from "../../kernel/storage/packed-text";
import { creditNotes, invoices } from "../invoices/table";
import type { ChargedDiscounts } from "../pricing/discounts";
import type { UsedFreeUnits } from "../pricing/free-units";
import type { CommittedTime, CommittedUsage } from "../pricing/models/commitment";
import type { LevelWindow, WeightedLevels } from "../pricing/models/level";
import type { CommittedSums } from "../pricing/models/spend-commitment";
import type { Share } from "../pricing/proration";
import type { BilledSegments } from "../pricing/segment-cost";
import type { AppliedTax, ChargedTaxes } from "../pricing/tax";
import type { Totals } from "../pricing/totals";
import type { ChargeOwner, ChargeTerms, PaymentTime } from "./rules.charge";

/**
 * The charges: one row for each thing that an owner is billed for, on unchanged terms. The first bill writes the row,
 * and the first bill on other terms replaces it by another one.
 */
export const billingCharges = sqliteTable(
	"billing_charges",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		ownerKind: text("owner_kind").notNull().$type<ChargeOwner["kind"]>(),
		ownerId: text("owner_id").notNull(),
		/**
		 * The priced thing: of a contract, the id of the line item; of a subscription, what is charged in advance, or the
		 * kind and feature of usage. An owner has one current charge for each key.
		 */
		key: text().notNull(),
		/** The place among the charges of an owner, whose order decides the order of lines. */
		position: integer().notNull().default(0),
		/** The inputs of rating. Null: billed elsewhere, or by a release that did not store them. */
		terms: packedPrices<ChargeTerms>("terms"),
		startsAt: integer("starts_at").notNull().$type<Instant>(),
		/** Null: open. */
		endsAt: integer("ends_at").$type<Instant>(),
		/** Null: charged once, or by the reset periods of a limit. */
		interval: text({ mode: "json" }).$type<Interval>(),
		/** The instant from which its periods count. */
		anchorAt: integer("anchor_at").notNull().$type<Instant>(),
		timeZone: text("time_zone").notNull().default("UTC"),
		prorationMode: text("proration_mode").notNull().$type<ProrationMode>(),
		paymentTime: text("payment_time").notNull().$type<PaymentTime>(),
		/**
		 * The key is billed until then, by this charge and those before it. Usage is billed before and after it: its
		 * periods that start before then are closed. Null: nothing is billed, or a charge in advance of a subscription,
		 * whose newest period tells it.
		 */
		billedUntil: integer("billed_until").$type<Instant>(),
		/** For usage, the number of events before `billedUntil` at the last bill: more events by the next one are late. */
		usageEvents: integer("usage_events"),
		/** The meter that counted them; null: none. Counts of another meter are not comparable. */
		usageMeterId: text("usage_meter_id"),
		/** When a bill on other terms, or a credit, ended it. Null: it is the current charge of its key. */
		replacedAt: integer("replaced_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("billing_charges_owner").on(table.ownerId, table.key),
		uniqueIndex("billing_charges_current").on(table.ownerId, table.key).where(sql`replaced_at IS NULL`),
	],
);

export type ChargeRow = typeof billingCharges.$inferSelect;

/** The state of a window of usage whose prices have terms that depend on the whole window, or whose units coupons make free. */
export interface UsageState {
	/** The usage that was billed on other terms, or by nobody, and the instant from which these terms count. */
	readonly base?: { readonly quantity: Decimal; readonly at: Instant; readonly free?: Decimal };
	/** After the end of the window, the minimum of each price that is paid; null: it has none. */
	readonly minimums?: ReadonlyArray<Decimal | null>;
	/** How the levels of the window count over time. */
	readonly levels?: LevelWindow & Pick<WeightedLevels, "average">;
	/** How the windows of a commitment run, and the used units that are billed. `usageQuantity` is what they cost. */
	readonly commitment?: CommittedTime & Pick<CommittedUsage, "units">;
	/** The usage of each segment that is billed so far. `usageQuantity` is what it costs. */
	readonly segments?: BilledSegments;
	/** Where each event charges the usage, the number of events that the bills of the window have counted. */
	readonly events?: number;
	/** The free units by coupon that the bills of the window have used. */
	readonly freeUnits?: readonly UsedFreeUnits[];
}

/** The amounts of a charge period. */
export interface RatedAmounts extends Totals {
	/** Its taxes if they were rounded for its invoice: a credit reverses its part of them. */
	readonly taxes?: ChargedTaxes;
	/** Its discounts if several coupons could apply: a credit reverses its part of them. */
	readonly discounts?: ChargedDiscounts;
	/** Where prices include taxes: the amount with them, before its discount. */
	readonly gross?: Decimal;
}

/** The window of a commitment after a bill. */
export interface SettledWindow extends CommittedSums {
	/** The sums of all bills of the window: the shortfall that later usage has not consumed, and the excess by the factor. */
	readonly shortfall: Decimal;
	readonly excess: Decimal;
	/** The taxes of the shortfall; missing: none, or a percentage of the subscription. */
	readonly taxes?: readonly AppliedTax[];
}

/**
 * The billed stretches of charges, written in the transaction that issues the invoice. Rows never change: late usage
 * adds a revision, and a credit reverses a row. The key keeps a stretch from being billed twice.
 */
export const chargePeriods = sqliteTable(
	"charge_periods",
	{
		chargeId: text("charge_id")
			.notNull()
			.references(() => billingCharges.id),
		startsAt: integer("starts_at").notNull().$type<Instant>(),
		/** 0 for the regular bill, then one more for each bill of late usage. */
		revision: integer().notNull(),
		endsAt: integer("ends_at").notNull().$type<Instant>(),
		/** The start of the whole period that the stretch is the rest of. Null: the stretch is whole, or not prorated. */
		wholeStartsAt: integer("whole_starts_at").$type<Instant>(),
		environmentId: text("environment_id").notNull(),
		/** ELSEWHERE: another system billed it, or nobody bills it. */
		state: text().notNull().$type<"BILLED" | "ELSEWHERE">(),
		/** The billed amounts of this revision. */
		rated: text({ mode: "json" }).notNull().$type<RatedAmounts>(),
		/**
		 * For usage, all that is billed of the stretch so far: of a contract in priced units, of a subscription in reported
		 * units.
		 */
		usageQuantity: text("usage_quantity").$type<Decimal>(),
		/** The number of events in the stretch at that time. The same number later means no late usage. */
		usageEvents: integer("usage_events"),
		/** For time-weighted usage, the length of the price's whole period, of which the stretch may be a part. */
		averagedOverMs: integer("averaged_over_ms"),
		/** Null: no price of it has such terms. */
		usageState: text("usage_state", { mode: "json" }).$type<UsageState>(),
		/** Only for the window of a commitment. */
		settled: text({ mode: "json" }).$type<SettledWindow>(),
		/**
		 * Null: there was nothing to invoice, another system billed it, or it waited for a later invoice or went on a
		 * credit note.
		 */
		invoiceId: text("invoice_id").references(() => invoices.id),
		/** The charge id of its lines: those that charge it, and those that credit it. Null: they have none. */
		lineChargeId: text("line_charge_id"),
		/** The rest of the amount after credit notes that were issued by hand. Null: all of it. */
		left: text({ mode: "json" }).$type<NonNullable<Share["left"]>>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.chargeId, table.startsAt, table.revision] }),
		index("charge_periods_invoice").on(table.invoiceId),
	],
);

export type ChargePeriodRow = typeof chargePeriods.$inferSelect;

/** The credited amounts of a charge period. */
export type CreditedAmounts = Totals & Pick<RatedAmounts, "gross">;

/** The credits of charge periods. The rest of a period is the period less its credits. */
export const chargeCredits = sqliteTable(
	"charge_credits",
	{
		chargeId: text("charge_id")
			.notNull()
			.references(() => billingCharges.id),
		/** The start and the revision of the credited period. */
		startsAt: integer("starts_at").notNull().$type<Instant>(),
		revision: integer().notNull(),
		/** The credited time. */
		fromAt: integer("from_at").notNull().$type<Instant>(),
		toAt: integer("to_at").notNull().$type<Instant>(),
		environmentId: text("environment_id").notNull(),
		/** The credited amounts. */
		rated: text({ mode: "json" }).notNull().$type<CreditedAmounts>(),
		/** Null: an earlier credit note had credited the whole invoice. */
		creditNoteId: text("credit_note_id").references(() => creditNotes.id),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.chargeId, table.startsAt, table.revision, table.fromAt] })],
);

export type ChargeCreditRow = typeof chargeCredits.$inferSelect;
