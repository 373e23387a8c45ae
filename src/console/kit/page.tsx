import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { CopyAsCurl } from "./copy";
import { Icon } from "./icons";
import { useOne } from "./list";
import { Problem } from "./problem";

export interface PageProps {
	readonly title: string;
	readonly text?: ReactNode;
	/** Next to the title, such as a state or an ID. */
	readonly badge?: ReactNode;
	/** The screen that leads here. */
	readonly parent?: { readonly name: string; readonly path: string };
	/** Buttons, the main one last. */
	readonly actions?: ReactNode;
	/** The request of the screen, below /api/v1. */
	readonly curl?: string | undefined;
	readonly children: ReactNode;
}

/** The frame of each screen. */
export function Page({ title, text, badge, parent, actions, curl, children }: PageProps) {
	useEffect(() => {
		document.title = `${title} · Tollgate`;
	}, [title]);
	return (
		<>
			<header className="page">
				{parent && (
					<Link href={parent.path} className="parent">
						<Icon name="left" size={12} /> {parent.name}
					</Link>
				)}
				<div className="bar">
					<div className="title">
						<h1>{title}</h1>
						{badge}
					</div>
					<div className="actions">
						{curl !== undefined && <CopyAsCurl path={curl} />}
						{actions}
					</div>
				</div>
				{text && <p className="quiet">{text}</p>}
			</header>
			{children}
		</>
	);
}

export interface CardProps {
	readonly title?: string | undefined;
	readonly text?: ReactNode;
	readonly actions?: ReactNode;
	/** The content fills the card to its edges. */
	readonly isFlush?: boolean;
	readonly children?: ReactNode;
}

/** A part of a screen. */
export const Card = ({ title, text, actions, isFlush, children }: CardProps) => (
	<section className={isFlush ? "card flush" : "card"}>
		{(title || actions) && (
			<header>
				<div>
					{title && <h2>{title}</h2>}
					{text && <p className="quiet small">{text}</p>}
				</div>
				{actions && <div className="actions">{actions}</div>}
			</header>
		)}
		{children}
	</section>
);

interface FactsProps {
	/** Values by their names. Null, undefined and false are left out. */
	readonly of: Readonly<Record<string, ReactNode>>;
	readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Names and values, one below the other. */
export const Facts = ({ of, metadata }: FactsProps) => (
	<dl className="facts">
		{[...Object.entries(of), ...Object.entries(metadata ?? {})]
			.filter(([, value]) => value !== null && value !== undefined && value !== false)
			.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
	</dl>
);

export interface EmptyProps {
	readonly title: string;
	readonly text?: ReactNode;
	readonly action?: ReactNode;
}

/** A notice in place of content, which says how content comes here. */
export const Empty = ({ title, text, action }: EmptyProps) => (
	<div className="empty">
		<p className="strong">{title}</p>
		{text && <p className="quiet">{text}</p>}
		{action}
	</div>
);

/** A placeholder while content loads. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
	<div className="skeleton" aria-busy="true">
		{Array.from({ length: lines }, (_, at) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
			<span key={at} />
		))}
	</div>
);

interface LoadedProps<Data> {
	/** Below /api/v1. */
	readonly path: string;
	readonly lines?: number;
	readonly everyMs?: (found: Data | undefined) => number | false;
	readonly children: (data: Data) => ReactNode;
}

/** Reads one thing of the API and shows it; a skeleton until then, and the error if it fails. */
export function Loaded<Data>({ path, lines = 6, everyMs, children }: LoadedProps<Data>) {
	const { data, error, refetch } = useOne<Data>(path, everyMs);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	return data === undefined ? <Skeleton lines={lines} /> : children(data);
}
