import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ClockView } from "../../test-clocks/schema";
import { pathTo } from "../api";
import { statuses } from "../messages/shared/statuses";
import { may } from "../session";
import { type Amount, formatDateTime, formatMoney, formatRelative } from "./format";
import { useOne } from "./list";

export const clockPath = "/environments/current/clock";

/** The environment's clock: its test clock, if it has one. */
export const useClock = () => useOne<ClockView>(may("ENVIRONMENT:READ") ? clockPath : undefined);

/** The time of the environment in milliseconds. Ages of what is sold, billed and counted are relative to it. */
export function useNow(): number {
	const { data: clock } = useClock();
	return clock?.isFrozen ? Date.parse(clock.now) : Date.now();
}

export const Money = ({ of }: { readonly of: Amount | null | undefined }) => (
	<span className="figure">{formatMoney(of)}</span>
);

interface AgoProps {
	readonly at: string | null | undefined;
	/** For keys, sessions, tasks and deliveries, which follow no test clock. */
	readonly isMachineTime?: boolean;
}

/** An instant relative to the environment's clock, with the exact time as its tooltip. */
export function Ago({ at, isMachineTime = false }: AgoProps) {
	const now = useNow();
	if (!at) return <span className="quiet">–</span>;
	return (
		<time dateTime={at} title={formatDateTime(at)}>
			{formatRelative(at, isMachineTime ? Date.now() : now)}
		</time>
	);
}

export const When = ({ at }: { readonly at: string | null | undefined }) =>
	at ? (
		<time dateTime={at} title={at}>
			{formatDateTime(at)}
		</time>
	) : (
		<span className="quiet">–</span>
	);

/** A link to the page of something, by its ID where it has no name. */
export const To = ({ list, id, children = id }: { list: string; id: string; children?: ReactNode }) => (
	<Link href={pathTo(list, id)}>{children}</Link>
);

export type Tone = "good" | "info" | "warn" | "bad" | "quiet";

const tones: Readonly<Record<string, Tone>> = {
	ACTIVE: "good",
	PUBLISHED: "good",
	COMPLETED: "good",
	DELIVERED: "good",
	PAID: "good",
	IN_TRIAL: "info",
	IN_PROGRESS: "info",
	OPEN: "info",
	NEW: "info",
	RETRYING: "warn",
	EXPIRING: "warn",
	PAYMENT_PENDING: "warn",
	PAUSED: "warn",
	PARTIALLY_PAID: "warn",
	PARTIALLY_FAILED: "warn",
	SUSPENDED: "warn",
	FAILED: "bad",
	OVERDUE: "bad",
	UNCOLLECTIBLE: "bad",
};

function inWords(code: string): string {
	const lower = code.toLowerCase().replaceAll("_", " ");
	return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** Some states have their own name for invoices or tasks. */
type StatusKind = "INVOICE" | "TASK" | "";

export const statusText = (status: string, kind: StatusKind = ""): string =>
	statuses[`${kind}_${status}`] ?? statuses[status] ?? inWords(status);

export const statusOptions = (codes: readonly string[], kind?: StatusKind) =>
	codes.map((value) => ({ value, label: statusText(value, kind) }));

/** Returns options with the names that the texts give to codes of the API. */
export const optionsOf = <const Code extends string>(
	texts: { readonly [Name in Code]: string },
	codes: readonly Code[],
) => codes.map((value) => ({ value, label: texts[value] }));

/** Returns things of the API as options. */
export const namedOptions = (
	things: readonly { readonly id: string; readonly displayName?: string; readonly name?: string }[] = [],
) => things.map(({ id, displayName, name }) => ({ value: id, label: displayName ?? name ?? id }));

/** A state as a word in a colour. */
export const Status = ({
	of,
	kind,
	tone,
}: {
	readonly of: string;
	readonly kind?: StatusKind;
	readonly tone?: Tone;
}) => <Badge tone={tone ?? tones[of] ?? "quiet"}>{statusText(of, kind)}</Badge>;

export const Badge = ({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
	<span className={`badge ${tone}`}>{children}</span>
);

export const Badges = ({ children }: { readonly children: ReactNode }) => <span className="badges">{children}</span>;

/** Progress in whole percent. */
export const Progress = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
	<span className="progress">
		<progress max={100} value={percent} aria-label={label} />
		<span className="figure small quiet">{percent} %</span>
	</span>
);
