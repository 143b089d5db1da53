# Prints the tables of copies as PostgreSQL's COPY does: read.R sqlite|csv|sav PLACE…
args <- commandArgs(trailingOnly = TRUE)
Sys.setlocale("LC_COLLATE", "C")

for (package in list(sqlite = c("DBI", "RSQLite"), sav = "haven")[[args[1]]]) loadNamespace(package)

cell <- function(value) {
  text <- if (inherits(value, "POSIXct")) format(value, "%Y-%m-%dT%H:%M:%S", tz = "UTC")
    else if (inherits(value, "Date")) format(value, "%Y-%m-%d")
    else if (inherits(value, "hms")) format(as.POSIXct(as.numeric(value), origin = "1970-01-01", tz = "UTC"), "%H:%M:%S")
    else if (is.logical(value)) ifelse(value, "1", "0")
    else if (is.numeric(value)) sprintf("%.17g", as.numeric(value))
    else gsub("\r", "\\r", gsub("\n", "\\n", gsub("\t", "\\t", gsub("\\", "\\\\", as.character(value), fixed = TRUE), fixed = TRUE), fixed = TRUE), fixed = TRUE)
  ifelse(is.na(value), "\\N", text)
}

dump <- function(name, data) {
  data <- data[, !endsWith(names(data), ".factor"), drop = FALSE]
  cat("#table\t", name, "\n", paste(names(data), collapse = "\t"), "\n", sep = "")
  if (nrow(data) > 0) cat(do.call(paste, c(lapply(data, cell), sep = "\t")), sep = "\n", fill = FALSE)
  if (nrow(data) > 0) cat("\n")
}

for (place in args[-1]) {
  cat("#place\t", place, "\n", sep = "")
  if (args[1] == "sqlite") {
    db <- DBI::dbConnect(RSQLite::SQLite(), place, flags = RSQLite::SQLITE_RO, bigint = "numeric")
    tables <- DBI::dbListTables(db)
    views <- DBI::dbGetQuery(db, "SELECT name FROM sqlite_master WHERE type = 'view'")$name
    for (table in setdiff(tables[!startsWith(tables, "_") & !startsWith(tables, "sqlite_")], views))
      dump(table, DBI::dbReadTable(db, table, check.names = FALSE))
    DBI::dbDisconnect(db)
  } else if (args[1] == "csv") {
    scope <- new.env()
    sys.source(file.path(place, "read.R"), scope, chdir = TRUE)
    for (name in setdiff(ls(scope), "crf_read")) dump(name, scope[[name]])
  } else {
    for (file in list.files(place, pattern = "[.]sav$", full.names = TRUE)) {
      data <- haven::read_sav(file)
      # A text of SPSS cannot be missing: it is blank.
      for (name in names(data)) {
        value <- haven::zap_labels(data[[name]])
        if (is.character(value)) value[value == ""] <- NA
        data[[name]] <- value
      }
      dump(sub("[.]sav$", "", basename(file)), as.data.frame(data))
    }
  }
}
