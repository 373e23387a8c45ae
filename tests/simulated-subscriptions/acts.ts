import type {
	Buying,
	Cancelling,
	Changing,
	ManualLine,
	Migrating,
	Pausing,
	Resuming,
	TakingOver,
	Transferring,
	Used,
} from "./calls";
import type { ContractAct } from "./contracts/requests";
import type { ListedPackage, PriceList } from "./price-list";

/** A call, a publication, reported usage or passing time, at a time. */
export type Act = { readonly at: number } & (
	| { readonly do: "wait" }
	| { readonly do: "use"; readonly used: readonly Used[] }
	/** Publishes the plan of its name; `toAll`: active subscriptions follow. */
	| { readonly do: "publish"; readonly plan: ListedPackage; readonly toAll?: true }
	/** The other calls run the customer's due steps first; some find them done already. */
	| ({ readonly isLate: boolean } & Call)
);

export type Call =
	| { readonly do: "buy"; readonly body: Buying }
	| { readonly do: "take over"; readonly body: TakingOver }
	| { readonly do: "change"; readonly id: string; readonly body: Changing }
	| { readonly do: "cancel"; readonly id: string; readonly body: Cancelling }
	| { readonly do: "pause"; readonly id: string; readonly body: Pausing }
	| { readonly do: "resume"; readonly id: string; readonly body: Resuming }
	| { readonly do: "charge"; readonly id: string; readonly until: number }
	/** The nth draft that is not issued yet, from 0. */
	| { readonly do: "finalize"; readonly draft: number }
	| { readonly do: "add line"; readonly draft: number; readonly body: ManualLine }
	/** The nth issued invoice, from 0. */
	| { readonly do: "pay" | "credit"; readonly invoice: number }
	| { readonly do: "drop" | "drop what is to be paid"; readonly id: string }
	| { readonly do: "transfer"; readonly id: string; readonly body: Transferring }
	| { readonly do: "migrate"; readonly id: string; readonly body: Migrating }
	| { readonly do: "contract"; readonly act: ContractAct };

export interface History {
	readonly list: PriceList;
	/** The history belongs to a contract, not to subscriptions. */
	readonly hasContract: boolean;
	readonly couponId: string | null;
	/** The customer's currency. */
	readonly currency: string | null;
	/** The days for which the customer's renewals are drafts; null: Tollgate issues them at once. */
	readonly graceDays: number | null;
	readonly startAt: number;
	readonly acts: readonly Act[];
}
