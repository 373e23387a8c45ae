import { Component, type ReactNode } from "react";
import { Problem } from "./problem";

/** Shows an error in place of a screen that throws. The menu remains usable. */
export class ScreenBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
	override state = { error: undefined };

	static getDerivedStateFromError(error: unknown) {
		return { error };
	}

	override render() {
		const { error } = this.state;
		return error ? <Problem error={error} retry={() => location.reload()} /> : this.props.children;
	}
}
