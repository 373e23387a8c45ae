CREATE TABLE `usage_cuts` (
	`subject_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`subject_id`, `hour`, `at`)
) WITHOUT ROWID;
