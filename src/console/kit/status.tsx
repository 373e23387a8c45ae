import { statuses } from "../messages/shared/statuses";

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
	PARTIALLY_PAID: "warn",
	PARTIALLY_FAILED: "warn",
	SUSPENDED: "warn",
	FAILED: "bad",
	OVERDUE: "bad",
	UNCOLLECTIBLE: "bad",
};

const words = (text: string): string => {
	const lower = text.toLowerCase().replaceAll("_", " ");
	return lower.charAt(0).toUpperCase() + lower.slice(1);
};

export const statusText = (status: string): string => statuses[status] ?? words(status);

/** To choose one of them. */
export const statusOptions = (statuses: readonly string[]) =>
	statuses.map((value) => ({ value, label: statusText(value) }));

/** A state in one word: the word says it, the colour only helps. */
export const Status = ({ of, tone }: { readonly of: string; readonly tone?: Tone }) => (
	<Badge tone={tone ?? tones[of] ?? "quiet"}>{statusText(of)}</Badge>
);

export const Badge = ({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: React.ReactNode }) => (
	<span className={`badge ${tone}`}>{children}</span>
);
