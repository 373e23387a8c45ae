import { useNow } from "./clock";
import { type Amount, formatDateTime, formatMoney, formatRelative } from "./format";

export const Money = ({ of }: { readonly of: Amount | null | undefined }) => (
	<span className="figure">{formatMoney(of)}</span>
);

interface AgoProps {
	readonly at: string | null | undefined;
	/** Of keys, sessions, tasks and deliveries, which go by no test clock. */
	readonly isMachineTime?: boolean;
}

/** How long ago, or ahead, by the clock of the environment, with the instant itself on it. */
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
