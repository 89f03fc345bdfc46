//! Writes positions as columns in the format Parquet, by the crate `parquet` of the Apache Arrow project.
//!
//! The columns are those of the JSON lines. Each feature has a column `feature_NUMBER_NAME`, numbered from 0. The crate
//! is used without Arrow arrays, because the columns are plain numbers and texts.

use super::data::DataRow;
use crate::protocol::host::refusal;
use alphorn_session::session::writing::PendingFile;
use alphorn_session::session::{Session, SessionResult};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// The rows of one group.
const GROUP: usize = 100_000;

/// Writes a file of positions.
///
/// # Errors
///
/// The file cannot be written.
pub(super) fn write(path: &Path, rows: &[DataRow], session: &Session) -> SessionResult<()> {
    let failed = |error: String| {
        refusal(format!("cannot write {}: {error}", path.display()), "name a file in a folder where you may write")
    };
    let pending = PendingFile::new(path, &session.files())?;
    let file = pending.create().map_err(|error| failed(error.to_string()))?;
    write_to(file, rows).map_err(|error| failed(error.to_string()))?;
    pending.finish().map_err(|error| failed(error.to_string()))
}

fn write_to(file: impl Write + Send, rows: &[DataRow]) -> Result<(), ParquetError> {
    let names = rows.first().map(|row| row.params.clone()).unwrap_or_default();
    // A name of a parameter may be any text, but a schema has words.
    let word = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    let more: String =
        names.iter().enumerate().map(|(at, name)| format!("REQUIRED DOUBLE feature_{at}_{}; ", word(name))).collect();
    let schema = format!(
        "message positions {{ REQUIRED INT32 game; REQUIRED INT64 seed; REQUIRED INT32 ply; \
         REQUIRED BINARY position (UTF8); REQUIRED DOUBLE result; OPTIONAL DOUBLE evaluation; {more}}}"
    );
    let schema = Arc::new(parse_message_type(&schema)?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::builder().build()))?;
    for rows in rows.chunks(GROUP) {
        let mut group = writer.next_row_group()?;
        write_group(&mut group, rows, names.len())?;
        group.close()?;
    }
    writer.close().map(drop)
}

fn write_group<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[DataRow],
    features: usize,
) -> Result<(), ParquetError> {
    /// Writes the next column.
    macro_rules! column {
        ($of:ty, $values:expr, $levels:expr) => {
            if let Some(mut column) = group.next_column()? {
                column.typed::<$of>().write_batch(&$values, $levels, None)?;
                column.close()?;
            }
        };
    }
    let of = |value: &dyn Fn(&DataRow) -> f64| -> Vec<f64> { rows.iter().map(value).collect() };
    column!(Int32Type, rows.iter().map(|row| row.game as i32).collect::<Vec<_>>(), None);
    column!(Int64Type, rows.iter().map(|row| row.seed as i64).collect::<Vec<_>>(), None);
    column!(Int32Type, rows.iter().map(|row| row.ply as i32).collect::<Vec<_>>(), None);
    column!(ByteArrayType, rows.iter().map(|row| ByteArray::from(row.position.as_str())).collect::<Vec<_>>(), None);
    column!(DoubleType, of(&|row| row.result.0), None);
    let present: Vec<i16> = rows.iter().map(|row| i16::from(row.evaluation.is_some())).collect();
    let values: Vec<f64> = rows.iter().filter_map(|row| Some(row.evaluation?.0)).collect();
    column!(DoubleType, values, Some(&present));
    for at in 0..features {
        column!(DoubleType, of(&|row| row.features[at].0), None);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::data::Number;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn rows_are_read_again() {
        let row = |game: u32, evaluation: Option<f64>| DataRow {
            game,
            seed: 7,
            ply: 3,
            position: "pos(x,b(e))".to_string(),
            result: Number(0.5),
            evaluation: evaluation.map(Number),
            params: vec!["man".to_string()],
            features: vec![Number(f64::from(game))],
        };
        let path = std::env::temp_dir().join(format!("alphorn_{}.parquet", std::process::id()));
        let file = std::fs::File::create(&path).expect("the folder can be written");
        write_to(file, &[row(1, Some(2.5)), row(2, None)]).expect("the rows fit the schema");
        let read = SerializedFileReader::new(std::fs::File::open(&path).expect("it is there")).expect("it is Parquet");
        let rows: Vec<String> =
            (read.get_row_iter(None).expect("it has rows")).map(|row| row.expect("a row").to_string()).collect();
        let _ = std::fs::remove_file(&path);
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("evaluation: 2.5") && rows[1].contains("evaluation: null"), "{rows:?}");
        assert!(rows[1].contains("feature_0_man: 2"), "{rows:?}");
    }
}
