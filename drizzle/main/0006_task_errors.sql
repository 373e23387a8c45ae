CREATE TABLE `task_errors` (
	`task_id` text NOT NULL,
	`position` integer NOT NULL,
	`item_id` text NOT NULL,
	`error` text NOT NULL,
	PRIMARY KEY(`task_id`, `position`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_errors_item` ON `task_errors` (`task_id`,`item_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `tasks_ended` ON `tasks` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
INSERT INTO task_errors (task_id, position, item_id, error) SELECT tasks.id, json_each.key, json_each.value ->> '$.id', json_each.value ->> '$.error' FROM tasks, json_each(tasks.errors);--> statement-breakpoint
ALTER TABLE `tasks` DROP COLUMN `errors`;